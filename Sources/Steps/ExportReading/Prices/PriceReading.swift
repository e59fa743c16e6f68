internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The customer, storefront and time of a receipt record.
///
/// They are used for a price report inside the record if the report itself lacks the value.
struct ReportContext {
  var customer: CustomerID?
  var storefront: Storefront?
  var time: Instant?
}

/// The values of a report that are not scalars under the report's own keys.
///
/// They come from objects inside the report, or from the layout.
struct PriceDraft {
  var localeCurrency: Scalar?
  var introductoryPrice: Scalar?
  var appliedDiscount: OfferID?
  var offers: [OfferPrice] = []
  var meaning = PriceMeaning.list
  var sender = ChargeSender.app
  var isTrusted = false
  /// The unit of every price; `nil` for the pipeline's unit.
  var unit: PriceUnit?
  /// Whether this object may only surround the report, which is then in an inner object.
  ///
  /// Example: the inner object is `payload`.
  var isAround = false
  /// The number of products that were sold for the price; `nil` for one product.
  var quantity: Int64?

  /// Whether the price is a charge of one transaction; see ``PriceReport/isCharge``.
  var isCharge: Bool { meaning == .charged && sender != .app }
}

extension RecordReader {
  /// Reads a record of a price file; returns false if the record repeats an earlier report.
  ///
  /// If a record has neither a product nor a price, its payload is read, such as the object `data`.
  mutating func readPriceRecord(_ cursor: inout JSONCursor) throws(JSONFault) -> Bool {
    let record = cursor
    var bank = FieldBank<PriceKey>()
    let draft = try readReport(&cursor, bank: &bank)
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
    if let platform = bank[.platform], cursor.isOfOtherStore(platform) {
      notices.otherEvents += 1
      if notices.firstOtherEvent.isEmpty { notices.firstOtherEvent = cursor.platformText(platform) }
      return true
    }
    if draft.isAround, !bank.has(.productID), !bank.has(.price), let own = makeOwnLayout() {
      cursor = record
      layout = own
      defer { layout = nil }
      do throws(JSONFault) {
        return try readLayoutRecord(&cursor)
      } catch {
        guard error.reason == .priceWithoutProduct else { throw error }
        let key = priceTables.report.name(of: .productID)
        throw JSONFault(reason: error.reason, offset: 0, key: key)
      }
    }
    return try stageReport(draft, bank, cursor, context: ReportContext())
  }

  /// Adds the price report inside a receipt record to ``set``.
  ///
  /// The receipt is used even if its report is unusable. A report inside a sandbox response belongs
  /// to a test purchase: it is ignored and counted.
  mutating func stageEmbeddedReport(
    _ outer: FieldBank<ReceiptKey>, _ cursor: JSONCursor, isSandbox: Bool, context: ReportContext
  ) throws(FieldFault) {
    guard let slice = outer[.priceReport] else { return }
    guard !isSandbox else {
      notices.sandboxReports += 1
      return
    }
    let offers = set.offers.count
    do {
      var inner = cursor
      inner.position = Int(slice.start)
      try expect(Byte.openBrace, inner, key: "price_report")
      var bank = FieldBank<PriceKey>()
      let draft = try readReport(&inner, bank: &bank)
      _ = try stageReport(draft, bank, inner, context: context)
    } catch {
      set.offers.removeSubrange(offers...)
      notices.rejectedReports += 1
      let place = error.key.isEmpty ? "price_report" : "price_report.\(error.key)"
      keep(Reject(line: line, reason: error.reason, detail: place))
    }
  }

  /// Reads the object of a report, and stores its scalars in `bank`.
  private mutating func readReport(
    _ cursor: inout JSONCursor, bank: inout FieldBank<PriceKey>
  ) throws(JSONFault) -> PriceDraft {
    var draft = PriceDraft()
    let table = priceTables.report
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = table.key(name, in: cursor) else {
        try cursor.skipValue(level: 1)
        continue
      }
      switch key {
      case .priceLocale, .introductoryPrice, .discounts, .offers, .appliedDiscount:
        try cursor.note(key, in: &bank, names: table)
        try readPart(key, &cursor, into: &draft)
      case .envelope:
        let first = cursor.byte(at: cursor.position)
        draft.isAround =
          draft.isAround || first == Byte.openBrace || first == Byte.openBracket
          || first == Byte.quote
        try cursor.skipValue(level: 1)
      default:
        try cursor.readField(key, into: &bank, names: table)
      }
    }
    try refuseUnnamedFormat(bank)
    return draft
  }

  /// Refuses a report that has both `price` and a key of another format, such as `priceMicros`.
  ///
  /// The price of that format is in another field, so the pipeline must name the format.
  private func refuseUnnamedFormat(
    _ bank: FieldBank<PriceKey>
  ) throws(JSONFault) {
    guard bank.has(.price) else { return }
    for (mark, entry) in PriceTables.marks.enumerated() where bank.has(entry.key) {
      throw JSONFault(reason: .priceUnnamedFormat, offset: 0, key: PriceTables.label(mark))
    }
  }

  private mutating func readPart(
    _ key: PriceKey, _ cursor: inout JSONCursor, into draft: inout PriceDraft
  ) throws(JSONFault) {
    let first = cursor.byte(at: cursor.position)
    let name = priceTables.report.name(of: key)
    guard first != UInt8(ascii: "n") else {
      _ = try cursor.readScalar()
      return
    }
    switch key {
    case .priceLocale where first == Byte.openBrace:
      var bank = FieldBank<PriceKey>()
      try cursor.readObject(into: &bank, names: priceTables.locale, level: 2)
      draft.localeCurrency = bank[.currency]
    case .priceLocale:
      _ = try cursor.readScalar()  // a locale's name, such as en_US@currency=USD
    case .introductoryPrice where first == Byte.openBrace:
      if let offer = try readOffer(&cursor, place: name, isIntroductory: true) {
        draft.offers.append(offer)
      }
    case .introductoryPrice where first != Byte.openBracket:
      let price = try cursor.readScalar()
      if price.length > 0 { draft.introductoryPrice = price }  // "" means no price
    case .appliedDiscount where first == Byte.openBrace:
      var bank = FieldBank<PriceKey>()
      try cursor.readObject(into: &bank, names: priceTables.offer, level: 2)
      draft.appliedDiscount = try offerID(bank[.identifier], cursor, place: name)
    case .appliedDiscount:
      draft.appliedDiscount = try offerID(try cursor.readScalar(), cursor, place: name)
    default:
      if try cursor.passesEmptyValue() { return }
      let isIntroductory = key == .introductoryPrice
      try expect(isIntroductory ? Byte.openBrace : Byte.openBracket, cursor, key: name)
      try readOffers(&cursor, list: name, into: &draft)
    }
  }

  private mutating func readOffers(
    _ cursor: inout JSONCursor, list: String, into draft: inout PriceDraft
  ) throws(JSONFault) {
    try cursor.enter(2)
    var isFirst = true
    while try cursor.nextElement(isFirst: &isFirst) {
      try expect(Byte.openBrace, cursor, key: list)
      if let offer = try readOffer(&cursor, place: list, isIntroductory: false) {
        draft.offers.append(offer)
      }
    }
  }

  private mutating func offerID(
    _ scalar: Scalar?, _ cursor: JSONCursor, place: String
  ) throws(JSONFault) -> OfferID? {
    guard let scalar, scalar.kind != .null else { return nil }
    do {
      return try fields.symbol(scalar, in: cursor).map(OfferID.init)
    } catch {
      throw JSONFault(reason: error.reason, offset: Int(scalar.start), key: place)
    }
  }
}
