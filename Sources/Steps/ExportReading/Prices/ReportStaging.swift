internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Creates a report and adds it to ``set``; returns false if it repeats an earlier report.
  mutating func stage(
    _ values: LayoutValues, offers: [OfferPrice], _ cursor: JSONCursor, _ layout: PriceLayout,
    unit: PriceUnit, in context: ReportContext
  ) throws(FieldFault) -> Bool {
    guard let product = try fields.symbol(.product, of: values, in: cursor, hint: &hints.product)
    else { throw FieldFault(reason: .priceWithoutProduct, key: LayoutField.product.rawValue) }
    let named = try signedCurrency(values, cursor)
    let currency = if let named { named } else { try currency(values[.currency], cursor) }
    guard let price = values[.price] ?? values[.total] else {
      throw FieldFault(reason: .priceWithoutPrice, key: LayoutField.price.rawValue)
    }
    var quantity: Int64?
    // A charge is the amount of the whole transaction.
    let isCharge = layout.meaning == .charged && layout.sender != .app
    if values[.price] == nil, !isCharge, let scalar = values[.quantity] {
      quantity = try fields.integer(scalar, in: cursor)
    }
    let total = try fields.amount(price, in: cursor, of: currency)
    let amount = try Self.perUnit(Self.scaled(total, unit, in: currency, key: .price), quantity)
    guard let reportedAt = try reportTime(values, cursor) ?? context.time else {
      throw FieldFault(reason: .priceWithoutTime, key: LayoutField.time.rawValue)
    }
    var offers = offers
    for index in offers.indices {
      offers[index].price = try Self.scaled(offers[index].price, unit, in: currency, key: .offerID)
    }
    try sort(&offers)

    let transaction = try transactionID(values[.transaction], cursor)
    let storefront = try storefront(values[.storefront], cursor) ?? context.storefront
    var noHint: Symbol?
    let customer = try fields.symbol(.customer, of: values, in: cursor, hint: &noHint)
    // The offer in the report itself was used for the purchase.
    let usesOffer = values[.appliedDiscount] == nil && values[.offerPrice] != nil
    let applied = try fields.symbol(
      usesOffer ? .offerID : .appliedDiscount, of: values, in: cursor, hint: &noHint)
    let bundle = try fields.symbol(.app, of: values, in: cursor, hint: &hints.bundle)
    let start = set.offers.count
    var report = PriceReport(
      evidenceID: 0, source: SourceLine(file: 0, line: Int32(clamping: line)),
      customer: customer.map(CustomerID.init) ?? context.customer, transactionID: transaction,
      productID: ProductID(product), bundle: bundle.map(BundleID.init), storefront: storefront,
      currency: currency, reportedAt: reportedAt, price: amount, meaning: layout.meaning,
      sender: layout.sender, isTrusted: layout.isTrusted,
      appliedDiscount: applied.map(OfferID.init),
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
    _ number: Milliunits, _ unit: PriceUnit, in currency: Currency, key: LayoutField
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
      throw FieldFault(reason: .priceTooPrecise, key: LayoutField.price.rawValue)
    }
    return Milliunits(total.rawValue / quantity)
  }

  /// The currency that the sign or code in the price names, in a report without a currency.
  private mutating func signedCurrency(
    _ values: LayoutValues, _ cursor: JSONCursor
  ) throws(FieldFault) -> Currency? {
    guard values[.currency]?.length ?? 0 == 0, let price = values[.price] ?? values[.total],
      price.kind == .text || price.kind == .escapedText
    else { return nil }
    return try fields.withText(price, in: cursor) { CurrencySign.currency(in: $0) }
  }

  /// Reads a currency code, by itself or as part of a locale: `en_US@currency=USD`.
  mutating func currency(
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> Currency {
    let key = LayoutField.currency.rawValue
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
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> TransactionID? {
    guard let scalar else { return nil }
    if try fields.withText(scalar, in: cursor, { isRoundedNumber($0) }) {
      notices.unreadableIDs += 1
      return nil
    }
    do { return try fields.number(scalar, in: cursor).map(TransactionID.init) } catch {
      throw error.at(LayoutField.transaction)
    }
  }

  /// Reads the time of the report itself; `nil` if the report has no time.
  mutating func reportTime(
    _ values: LayoutValues, _ cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    guard let scalar = values[.time] else { return nil }
    let isMilliseconds = values.isTimeInMilliseconds
    if !isMilliseconds, let instant = try fields.instant(sinceEpoch: scalar, in: cursor) {
      return instant
    }
    if !isMilliseconds, let instant = try fields.instant(local: scalar, in: cursor) {
      return instant
    }
    do throws(FieldFault) {
      return try fields.time(
        milliseconds: isMilliseconds ? scalar : nil, text: isMilliseconds ? nil : scalar, in: cursor
      )
    } catch let fault {
      guard fault.reason == .rowInvalidDate else { throw fault.at(LayoutField.time) }
      if let written = try fields.withText(scalar, in: cursor, Instant.init(spreadsheetText:)),
        written.isWritable
      {
        return written
      }
      throw FieldFault(reason: .priceInvalidTime, key: LayoutField.time.rawValue)
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
        throw FieldFault(reason: .priceInvalidOffer, key: LayoutField.offerID.rawValue)
      }
      unique.append(offer)
    }
    offers = unique
  }
}

extension FieldReader {
  fileprivate mutating func symbol(
    _ field: LayoutField, of values: LayoutValues, in cursor: JSONCursor, hint: inout Symbol?
  ) throws(FieldFault) -> Symbol? {
    guard let scalar = values[field] else { return nil }
    do { return try symbol(scalar, in: cursor, hint: &hint) } catch { throw error.at(field) }
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
