internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Creates a report and adds it to ``set``; returns false if it repeats an earlier report.
  ///
  /// Converts the fault of a field to a fault that rejects the whole record.
  mutating func stageReport(
    _ draft: PriceDraft, _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor, context: ReportContext
  ) throws(JSONFault) -> Bool {
    do {
      return try stageReportFields(draft, bank, cursor, context: context)
    } catch let fault {
      throw asJSONFault(fault, names: priceTables.report)
    }
  }

  /// Creates a report and adds it to ``set``; returns false if it repeats an earlier report.
  mutating func stageReportFields(
    _ draft: PriceDraft, _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor, context: ReportContext
  ) throws(FieldFault) -> Bool {
    guard let product = try fields.symbol(.productID, of: bank, in: cursor, hint: &hints.product)
    else { throw FieldFault(reason: .priceWithoutProduct, key: PriceKey.productID.rawValue) }
    let named = try signedCurrency(bank, draft, cursor)
    let currency =
      if let named { named } else {
        try currency(bank[.currency] ?? draft.localeCurrency, cursor)
      }
    guard let price = bank[.price], price.length > 0 else {
      throw FieldFault(reason: .priceWithoutPrice, key: PriceKey.price.rawValue)
    }
    let unit = draft.unit ?? priceUnit
    let total = try fields.amount(price, in: cursor, of: currency)
    let amount = try Self.perUnit(
      Self.scaled(total, unit, in: currency, key: .price), draft.quantity)
    guard let reportedAt = try reportTime(bank, cursor) ?? context.time else {
      throw FieldFault(reason: .priceWithoutTime, key: PriceKey.reportedAt.rawValue)
    }
    var offers = draft.offers
    if let scalar = draft.introductoryPrice,
      let offer = try bareIntroductoryOffer(scalar, bank, cursor)
    {
      offers.append(offer)
    }
    for index in offers.indices {
      offers[index].price = try Self.scaled(offers[index].price, unit, in: currency, key: .offers)
    }
    try sort(&offers)

    let transaction = try transactionID(bank, cursor)
    let storefront =
      try storefront(bank[.storefront] ?? bank[.storeCountry], cursor) ?? context.storefront
    var customer = try fields.symbol(.customerID, of: bank, in: cursor)
    if customer == nil { customer = try fields.symbol(.appUserID, of: bank, in: cursor) }
    let bundle = try fields.symbol(.bundleID, of: bank, in: cursor, hint: &hints.bundle)
    let start = set.offers.count
    var report = PriceReport(
      evidenceID: 0, source: SourceLine(file: 0, line: Int32(clamping: line)),
      customer: customer.map(CustomerID.init) ?? context.customer, transactionID: transaction,
      productID: ProductID(product), bundle: bundle.map(BundleID.init), storefront: storefront,
      currency: currency, reportedAt: reportedAt, price: amount, meaning: draft.meaning,
      sender: draft.sender, isTrusted: draft.isTrusted, appliedDiscount: draft.appliedDiscount,
      offers: start..<(start + offers.count))
    let (id, check) = evidence.identity(of: report, offers: offers, symbols: fields.symbols)
    report.evidenceID = id
    guard knownReports.insert(id, check: check) else { return false }
    set.offers += offers
    set.reports.append(report)
    return true
  }

  /// Converts a number to an amount, by the unit in which the pipeline's prices are written.
  ///
  /// The function is static, because a method would copy the reader for each report.
  private static func scaled(
    _ number: Milliunits, _ unit: PriceUnit, in currency: Currency, key: PriceKey
  ) throws(FieldFault) -> Milliunits {
    do throws(AmountError) {
      return try unit.amount(number, in: currency)
    } catch {
      throw FieldFault(
        reason: error == .tooPrecise ? .priceTooPrecise : .priceTooLarge, key: key.rawValue)
    }
  }

  /// The price of one unit: the total divided by the quantity; throws if the result is not exact.
  private static func perUnit(_ total: Milliunits, _ quantity: Int64?) throws(FieldFault)
    -> Milliunits
  {
    guard let quantity, quantity != 1 else { return total }
    guard (2...1_000_000).contains(quantity), total.rawValue % quantity == 0 else {
      throw FieldFault(reason: .priceTooPrecise, key: PriceKey.price.rawValue)
    }
    return Milliunits(total.rawValue / quantity)
  }

  /// The currency that the sign or code in the price names, in a report without a currency.
  private mutating func signedCurrency(
    _ bank: FieldBank<PriceKey>, _ draft: PriceDraft, _ cursor: JSONCursor
  ) throws(FieldFault) -> Currency? {
    guard (bank[.currency] ?? draft.localeCurrency)?.length ?? 0 == 0, let price = bank[.price],
      price.kind == .text || price.kind == .escapedText
    else { return nil }
    return try fields.withText(price, in: cursor) { CurrencySign.currency(in: $0) }
  }

  /// Reads a currency code, by itself or as part of a locale: `en_US@currency=USD`.
  mutating func currency(
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> Currency {
    let key = PriceKey.currency.rawValue
    guard let scalar, scalar.length > 0 else {
      throw FieldFault(reason: .priceWithoutCurrency, key: key)
    }
    guard let currency = try fields.withText(scalar, in: cursor, { currencyOfText($0) }) else {
      throw FieldFault(reason: .priceInvalidCurrency, key: key)
    }
    return currency
  }

  /// Reads the transaction id; `nil` if it is missing or damaged.
  ///
  /// A spreadsheet writes long numbers as `180000123456789.0` or `1.8E+14`; such an id is counted.
  private mutating func transactionID(
    _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> TransactionID? {
    if let scalar = bank[.transactionID],
      try fields.withText(scalar, in: cursor, { isRoundedNumber($0) })
    {
      notices.unreadableIDs += 1
      return nil
    }
    return try fields.number(.transactionID, of: bank, in: cursor).map(TransactionID.init)
  }

  /// Reads the time of the report itself; `nil` if the report has no time.
  private mutating func reportTime(
    _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    do throws(FieldFault) {
      if let scalar = bank[.reportedAt], bank[.reportedMilliseconds] == nil {
        if let instant = try fields.instant(sinceEpoch: scalar, in: cursor) { return instant }
        if let instant = try fields.instant(local: scalar, in: cursor) { return instant }
      }
      return try fields.time(.reportedMilliseconds, .reportedAt, of: bank, in: cursor)
    } catch let fault {
      guard fault.reason == .rowInvalidDate else { throw fault }
      if let scalar = bank[.reportedAt],
        let written = try fields.withText(scalar, in: cursor, Instant.init(spreadsheetText:)),
        written.isWritable
      {
        return written
      }
      throw FieldFault(reason: .priceInvalidTime, key: fault.key)
    }
  }

  /// Sorts the introductory offer first, then the other offers by the bytes of their ids.
  ///
  /// Removes repeated offers. Throws if two different offers have the same id.
  private func sort(_ offers: inout [OfferPrice]) throws(FieldFault) {
    guard offers.count > 1 else { return }
    let symbols = fields.symbols
    func bytes(_ offer: OfferPrice) -> ArraySlice<UInt8> {
      offer.offerID.map { symbols.utf8($0.symbol) } ?? []
    }
    func precedes(_ left: OfferPrice, _ right: OfferPrice) -> Bool {
      bytes(left).lexicographicallyPrecedes(bytes(right))
    }
    // Usually they are already sorted.
    if offers.indices.dropFirst().allSatisfy({ precedes(offers[$0 - 1], offers[$0]) }) { return }
    offers.sort(by: precedes)
    var unique = [offers[0]]
    for offer in offers.dropFirst() where offer != unique[unique.count - 1] {
      guard offer.offerID != unique[unique.count - 1].offerID else {
        throw FieldFault(reason: .priceInvalidOffer, key: PriceKey.offers.rawValue)
      }
      unique.append(offer)
    }
    offers = unique
  }
}

/// The evidence ids of a file's reports, to find equal reports.
struct ReportIndex {
  private var known = DigestSet()

  /// Adds a report; returns false if the file already contains an equal report.
  ///
  /// Two different reports with the same id are both kept, so that the run can detect the collision
  /// and stop.
  mutating func insert(_ id: Int64, check: UInt64) -> Bool {
    known.insert(RecordDigest(high: UInt64(bitPattern: id), low: check))
  }
}

/// Returns true for digits with a point or an exponent: a number that a spreadsheet has rounded.
private func isRoundedNumber(_ text: Span<UInt8>) -> Bool {
  var (digits, marks) = (0, 0)
  for index in 0..<text.count {
    switch text[index] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): marks += 1
    case UInt8(ascii: "+") where marks > 0: continue
    default: return false
    }
  }
  return digits > 0 && (1...2).contains(marks) && text[0] &- UInt8(ascii: "0") <= 9
}

/// Parses the currency in a code or a locale: `USD`, `en_US@currency=USD`.
private func currencyOfText(_ text: Span<UInt8>) -> Currency? {
  if let currency = Currency(text) { return currency }
  let mark: StaticString = "currency="
  let length = mark.utf8CodeUnitCount
  guard text.count >= length + 4 else { return nil }
  for start in 1...(text.count - length - 3) {
    let isMark = (0..<length).allSatisfy { unsafe text[start + $0] == mark.utf8Start[$0] }
    if isMark { return Currency(text.extracting((start + length)..<(start + length + 3))) }
  }
  return nil
}
