internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension BodyWriter {
  /// Writes a report: its line number, then its content, which does not depend on the line number.
  mutating func report(_ report: PriceReport, offers: [OfferPrice]) {
    signed(Int64(report.source.line))
    flags(
      Flags(
        report.transactionID != nil, report.storefront != nil, report.appliedDiscount != nil,
        report.meaning == .charged, report.bundle != nil, report.isCharge))
    if report.isCharge { flags(Flags(report.isTrusted, beside: report.sender.rawValue)) }
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

  mutating func offer(_ offer: OfferPrice) {
    flags(
      Flags(
        offer.offerID != nil, offer.numberOfPeriods != nil, offer.period != nil,
        offer.period?.unit == .month, beside: offer.paymentMode.rawValue))
    if let id = offer.offerID { symbol(id.symbol) }
    signed(offer.price.rawValue)
    if let count = offer.numberOfPeriods { signed(Int64(count)) }
    if let period = offer.period { number(Int(period.count)) }
  }
}

extension BodyReader {
  /// Reads the line number of a report; equal reports differ only in this number.
  mutating func reportLine() -> Int32 {
    signed32()
  }

  /// Reads the content of a report without its line number, and appends its offers.
  mutating func report(
    evidenceID: Int64, source: SourceLine, offers: inout [OfferPrice], in symbols: StoredSymbols
  ) -> PriceReport {
    var flags = flags()
    let (hasTransaction, hasStorefront) = (flags.next(), flags.next())
    let (hasDiscount, isCharged, hasBundle) = (flags.next(), flags.next(), flags.next())
    let (sender, isTrusted) = flags.next() ? charge() : (.app, false)
    let customer = customer(in: symbols)
    var base: Int64 = 0
    let transaction = hasTransaction ? TransactionID(id(after: &base, in: symbols)) : nil
    let product = ProductID(symbol(in: symbols))
    let bundle = hasBundle ? BundleID(symbol(in: symbols)) : nil
    let storefront = hasStorefront ? Storefront(rawValue: self.code()) : nil
    let currency = Currency(rawValue: self.code())
    let reportedAt = time(after: .epoch)
    let price = price()
    let discount = hasDiscount ? OfferID(symbol(in: symbols)) : nil
    let start = offers.count
    for _ in 0..<count() { offers.append(offer(in: symbols)) }
    return PriceReport(
      evidenceID: evidenceID, source: source, customer: customer, transactionID: transaction,
      productID: product, bundle: bundle, storefront: storefront, currency: currency,
      reportedAt: reportedAt, price: price,
      meaning: isCharged ? .charged : .list, sender: sender, isTrusted: isTrusted,
      appliedDiscount: discount, offers: start..<offers.count)
  }

  /// Reads the sender of a charge, and whether the owner's server verified the charge.
  private mutating func charge() -> (ChargeSender, Bool) {
    var flags = flags()
    let sender = ChargeSender(rawValue: flags.number)
    if sender == nil { giveUp() }
    return (sender ?? .app, flags.next())
  }

  mutating func offer(in symbols: StoredSymbols) -> OfferPrice {
    var flags = flags()
    let mode = PaymentMode(rawValue: flags.number)
    if mode == nil { giveUp() }
    let (hasID, hasCount) = (flags.next(), flags.next())
    let (hasPeriod, countsMonths) = (flags.next(), flags.next())
    let id = hasID ? OfferID(symbol(in: symbols)) : nil
    let price = price()
    let count = hasCount ? count(upTo: 12_000) : nil
    var period: Period?
    if hasPeriod {
      period = Period(number(below: 1 << 31), countsMonths ? .month : .day)
      if period == nil { giveUp() }
    }
    return OfferPrice(
      offerID: id, price: price, paymentMode: mode ?? .payAsYouGo, numberOfPeriods: count,
      period: period)
  }
}
