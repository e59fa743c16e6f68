internal import Amounts
internal import CivilTime
internal import PurchaseModel

private struct ReportFlags {
  static let hasTransaction: UInt8 = 1
  static let hasStorefront: UInt8 = 2
  static let hasDiscount: UInt8 = 4
  static let isCharged: UInt8 = 8
  static let hasBundle: UInt8 = 16
}

private struct OfferFlags {
  static let hasID: UInt8 = 1
  static let hasCount: UInt8 = 2
  static let hasPeriod: UInt8 = 4
  static let countsMonths: UInt8 = 8
  static let mode: UInt8 = 4  // a shift: the payment mode in the high four bits
}

extension BodyWriter {
  /// Writes a report: its line, then its content, which does not depend on the line.
  mutating func report(_ report: PriceReport, offers: [OfferPrice]) {
    signed(Int64(report.source.line))
    var flags: UInt8 = 0
    if report.transactionID != nil { flags |= ReportFlags.hasTransaction }
    if report.storefront != nil { flags |= ReportFlags.hasStorefront }
    if report.appliedDiscount != nil { flags |= ReportFlags.hasDiscount }
    if report.meaning == .charged { flags |= ReportFlags.isCharged }
    if report.bundle != nil { flags |= ReportFlags.hasBundle }
    byte(flags)
    customer(report.customer)
    var base: Int64 = 0
    if let transaction = report.transactionID { id(transaction.number, after: &base) }
    symbol(report.productID.symbol)
    if let bundle = report.bundle { symbol(bundle.symbol) }
    if let storefront = report.storefront { number(UInt64(storefront.rawValue)) }
    number(UInt64(report.currency.rawValue))
    time(report.reportedAt, after: .epoch)
    signed(report.price.rawValue)
    if let discount = report.appliedDiscount { symbol(discount.symbol) }
    number(report.offers.count)
    for offer in offers[report.offers] { self.offer(offer) }
  }

  /// Writes the price of an offer.
  mutating func offer(_ offer: OfferPrice) {
    var flags: UInt8 = offer.paymentMode.rawValue << OfferFlags.mode
    if offer.offerID != nil { flags |= OfferFlags.hasID }
    if offer.numberOfPeriods != nil { flags |= OfferFlags.hasCount }
    if let period = offer.period {
      flags |= OfferFlags.hasPeriod
      if period.unit == .month { flags |= OfferFlags.countsMonths }
    }
    byte(flags)
    if let id = offer.offerID { symbol(id.symbol) }
    signed(offer.price.rawValue)
    if let count = offer.numberOfPeriods { signed(Int64(count)) }
    if let period = offer.period { number(Int(period.count)) }
  }
}

extension BodyReader {
  /// Reads the line of a report, the only difference between equal reports.
  mutating func reportLine() -> Int32 {
    signed32()
  }

  /// Reads the content of a report, and appends its offers.
  mutating func report(
    evidenceID: Int64, source: SourceLine, offers: inout [OfferPrice], in symbols: StoredSymbols
  ) -> PriceReport {
    let flags = byte()
    let customer = customer(in: symbols)
    var base: Int64 = 0
    var transaction: TransactionID?
    if flags & ReportFlags.hasTransaction != 0 {
      transaction = TransactionID(id(after: &base, in: symbols))
    }
    let product = ProductID(symbol(in: symbols))
    let bundle = flags & ReportFlags.hasBundle == 0 ? nil : BundleID(symbol(in: symbols))
    var storefront: Storefront?
    if flags & ReportFlags.hasStorefront != 0 {
      storefront = Storefront(rawValue: self.code())
    }
    let currency = Currency(rawValue: self.code())
    let reportedAt = time(after: .epoch)
    let price = price()
    var discount: OfferID?
    if flags & ReportFlags.hasDiscount != 0 { discount = OfferID(symbol(in: symbols)) }
    let start = offers.count
    for _ in 0..<count() { offers.append(offer(in: symbols)) }
    return PriceReport(
      evidenceID: evidenceID, source: source, customer: customer, transactionID: transaction,
      productID: product, bundle: bundle, storefront: storefront, currency: currency,
      reportedAt: reportedAt, price: price,
      meaning: flags & ReportFlags.isCharged == 0 ? .list : .charged,
      appliedDiscount: discount, offers: start..<offers.count)
  }

  /// Reads the price of an offer.
  mutating func offer(in symbols: StoredSymbols) -> OfferPrice {
    let flags = byte()
    let mode = PaymentMode(rawValue: flags >> OfferFlags.mode)
    if mode == nil { giveUp() }
    let id = flags & OfferFlags.hasID == 0 ? nil : OfferID(symbol(in: symbols))
    let price = price()
    let count = flags & OfferFlags.hasCount == 0 ? nil : count(upTo: 12_000)
    var period: Period?
    if flags & OfferFlags.hasPeriod != 0 {
      period = Period(number(below: 1 << 31), flags & OfferFlags.countsMonths == 0 ? .day : .month)
      if period == nil { giveUp() }
    }
    return OfferPrice(
      offerID: id, price: price, paymentMode: mode ?? .payAsYouGo, numberOfPeriods: count,
      period: period)
  }
}
