internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Makes a report from the fields read and stages it; `false` if the file already has it.
  mutating func stageReport(
    _ draft: PriceDraft, _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor, context: ReportContext
  ) throws(JSONFault) -> Bool {
    do {
      return try stageReportFields(draft, bank, cursor, context: context)
    } catch let fault {
      throw asJSONFault(fault, names: priceTables.report)
    }
  }

  private mutating func stageReportFields(
    _ draft: PriceDraft, _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor, context: ReportContext
  ) throws(FieldFault) -> Bool {
    guard let product = try fields.symbol(.productID, of: bank, in: cursor, hint: &hints.product)
    else { throw FieldFault(reason: .priceWithoutProduct, key: PriceKey.productID.rawValue) }
    let currency = try currency(bank[.currency] ?? draft.localeCurrency, cursor)
    guard let price = bank[.price], price.length > 0 else {
      throw FieldFault(reason: .priceWithoutPrice, key: PriceKey.price.rawValue)
    }
    let amount = try scaled(fields.amount(price, in: cursor), in: currency, key: .price)
    guard let reportedAt = try reportTime(bank, cursor) ?? context.time else {
      throw FieldFault(reason: .priceWithoutTime, key: PriceKey.reportedAt.rawValue)
    }
    var offers = draft.offers
    if let scalar = draft.introductoryPrice {
      offers.append(try bareIntroductoryOffer(scalar, bank, cursor))
    }
    for index in offers.indices {
      offers[index].price = try scaled(offers[index].price, in: currency, key: .offers)
    }
    try sort(&offers)

    let transaction = try fields.number(.transactionID, of: bank, in: cursor)
      .map(TransactionID.init)
    let storefront = try reportStorefront(bank, cursor) ?? context.storefront
    var customer = try fields.symbol(.customerID, of: bank, in: cursor)
    if customer == nil { customer = try fields.symbol(.appUserID, of: bank, in: cursor) }
    let start = set.offers.count
    var report = PriceReport(
      evidenceID: 0, source: SourceLine(file: 0, line: Int32(clamping: line)),
      customer: customer.map(CustomerID.init) ?? context.customer, transactionID: transaction,
      productID: ProductID(product), storefront: storefront, currency: currency,
      reportedAt: reportedAt, price: amount, appliedDiscount: draft.appliedDiscount,
      offers: start..<(start + offers.count))
    let (id, check) = evidence.identity(of: report, offers: offers, symbols: fields.symbols)
    report.evidenceID = id
    guard knownReports.insert(id, check: check) else { return false }
    set.offers += offers
    set.reports.append(report)
    return true
  }

  /// A number as an amount, by the unit in which the pipeline's reports count.
  private func scaled(
    _ number: Milliunits, in currency: Currency, key: PriceKey
  ) throws(FieldFault) -> Milliunits {
    do throws(AmountError) {
      return try priceUnit.amount(number, in: currency)
    } catch {
      throw FieldFault(
        reason: error == .tooPrecise ? .priceTooPrecise : .priceTooLarge, key: key.rawValue)
    }
  }

  /// The currency that a text names.
  mutating func currency(
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> Currency {
    let key = PriceKey.currency.rawValue
    guard let scalar, scalar.length > 0 else {
      throw FieldFault(reason: .priceWithoutCurrency, key: key)
    }
    guard let currency = try fields.withText(scalar, in: cursor, { Currency($0) }) else {
      throw FieldFault(reason: .priceInvalidCurrency, key: key)
    }
    return currency
  }

  /// The report's own time; `nil` without one.
  private mutating func reportTime(
    _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    do throws(FieldFault) {
      return try fields.time(.reportedMilliseconds, .reportedAt, of: bank, in: cursor)
    } catch let fault {
      guard fault.reason == .rowInvalidDate else { throw fault }
      throw FieldFault(reason: .priceInvalidTime, key: fault.key)
    }
  }

  private mutating func reportStorefront(
    _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Storefront? {
    guard let scalar = bank[.storefront] ?? bank[.storeCountry], scalar.length > 0 else {
      return nil
    }
    let storefront = try fields.withText(scalar, in: cursor) { Storefront($0) }
    if storefront == nil { notices.unreadableStorefronts += 1 }
    return storefront
  }

  /// The introductory offer first, then the others by the bytes of their ids, each id once.
  private func sort(_ offers: inout [OfferPrice]) throws(FieldFault) {
    guard offers.count > 1 else { return }
    let symbols = fields.symbols
    func bytes(_ offer: OfferPrice) -> ArraySlice<UInt8> {
      offer.offerID.map { symbols.utf8($0.symbol) } ?? []
    }
    func precedes(_ left: OfferPrice, _ right: OfferPrice) -> Bool {
      bytes(left).lexicographicallyPrecedes(bytes(right))
    }
    // Mostly they come in order.
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

/// The reports of a file by their evidence ids, to find equal ones.
struct ReportIndex {
  private var checks: [Int64: UInt64] = [:]

  /// Notes a report; false where the file has an equal one.
  ///
  /// Two different reports under one id are both kept: the run must see them and stop.
  mutating func insert(_ id: Int64, check: UInt64) -> Bool {
    checks.updateValue(check, forKey: id) != check
  }
}
