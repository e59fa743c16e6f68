internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension PriceReport {
  /// Codes the content of a report, which does not depend on its line.
  ///
  /// `offers` contains the report's offers; offers that are read are appended.
  mutating func coded(by coder: inout some BodyCoder, offers: inout [OfferPrice]) {
    let flags = coder.flags(
      Flags(
        transactionID != nil, storefront != nil, appliedDiscount != nil, meaning == .charged,
        bundle != nil, isCharge))
    meaning = flags[3] ? .charged : .list
    if flags[5] {
      let charge = coder.flags(Flags(isTrusted, beside: sender.rawValue))
      sender = coder.known(ChargeSender(rawValue: charge.number), or: .app)
      isTrusted = charge[0]
    }
    coder.code(&customer)
    var base: Int64 = 0
    coder.code(&transactionID, after: &base, if: flags[0])
    coder.code(&productID)
    coder.code(&bundle, if: flags[4])
    coder.code(&storefront, if: flags[1])
    coder.code(&currency)
    coder.code(&reportedAt, after: .epoch)
    coder.code(&price)
    coder.code(&appliedDiscount, if: flags[2])
    let start = self.offers.lowerBound
    self.offers = start..<start + coder.code(&offers, from: start, count: self.offers.count)
  }
}

extension BodyReader {
  /// Reads the content of a report without its line, and appends its offers.
  mutating func report(evidenceID: Int64, source: SourceLine, offers: inout [OfferPrice])
    -> PriceReport
  {
    var report = PriceReport(
      evidenceID: evidenceID, source: source, customer: nil, transactionID: nil,
      productID: .blank, storefront: nil, currency: .blank, reportedAt: .epoch, price: .zero,
      appliedDiscount: nil, offers: offers.count..<offers.count)
    report.coded(by: &self, offers: &offers)
    return report
  }
}

extension OfferPrice: BodyValue {
  static var blank: OfferPrice {
    OfferPrice(
      offerID: nil, price: .zero, paymentMode: .payAsYouGo, numberOfPeriods: nil, period: nil)
  }

  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(
      Flags(
        offerID != nil, numberOfPeriods != nil, period != nil, period?.unit == .month,
        beside: paymentMode.rawValue))
    paymentMode = coder.known(PaymentMode(rawValue: flags.number), or: .payAsYouGo)
    coder.code(&offerID, if: flags[0])
    coder.code(&price)
    if flags[1] {
      var count = numberOfPeriods ?? 1
      coder.code(&count, upTo: 12_000)
      numberOfPeriods = count
    }
    if flags[2] {
      var length = period?.count ?? 1
      coder.code(&length, below: 1 << 31)
      period = Period(Int(length), flags[3] ? .month : .day)
      if period == nil { coder.giveUp() }
    }
  }
}
