internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// How much later than an offer's end a row may start and still follow it without a break.
private let contiguousGap = Milliseconds.hours(24)

extension SubscriptionRules {
  /// One conversion for each offer period, in the order of the offer periods.
  func conversions() -> [Conversion] {
    var conversions: [Conversion] = []
    conversions.reserveCapacity(courses.offerPeriods.count)
    var chain: Int32 = -1
    var number: Int32 = 0
    for (index, period) in courses.offerPeriods.enumerated() {
      number = period.chain == chain ? number + 1 : 1
      chain = period.chain
      conversions.append(conversion(of: period, at: Int32(index), number: number))
    }
    return conversions
  }

  private func conversion(of period: OfferPeriod, at index: Int32, number: Int32) -> Conversion {
    let first = period.rows.lowerBound
    let offer = book.purchases[first]
    let endsAt = book.purchases[period.rows.upperBound - 1].endsAt
    let state = newestState(of: Int(period.chain)).map { book.renewalStates[$0] }
    let maturesAt = endsAt.advanced(by: retryWindow)
    var conversion = Conversion(
      offerPeriod: index, offerNumber: number, startedAt: offer.purchasedAt, endsAt: endsAt,
      paymentMode: amounts.amounts[first].paymentMode, offerPaid: paid(for: period.rows),
      status: openStatus(state: state, maturesAt: maturesAt), convertedBy: nil,
      isSameProduct: nil, isContiguous: nil, daysToConvert: nil, conversionRefundedAt: nil,
      autoRenewStatus: state?.autoRenewStatus, expirationIntent: state?.expirationIntent,
      maturesAt: maturesAt, isMature: maturesAt <= asOf)
    guard let row = convertingRow(of: period, before: maturesAt) else { return conversion }

    let purchase = book.purchases[row]
    conversion.status = .converted
    conversion.convertedBy = Int32(row)
    conversion.isSameProduct = purchase.productID == offer.productID
    conversion.isContiguous = purchase.purchasedAt <= endsAt.advanced(by: contiguousGap)
    conversion.daysToConvert = purchase.purchasedAt.since(offer.purchasedAt).wholeDays
    if let reversal = courses.rows[row].reversal, reversal.kind == .refund {
      conversion.conversionRefundedAt = reversal.at
    }
    return conversion
  }

  /// The first later row of the chain that is paid, after a free offer, or regular, after a paid
  /// one, if it starts by the end of the window.
  ///
  /// A regular row at a price of 0 does not convert a free offer, and does convert a paid one. A
  /// paid offer converts a free one: money was paid for the first time.
  private func convertingRow(of period: OfferPeriod, before limit: Instant) -> Int? {
    let isFree = book.purchases[period.rows.lowerBound].isTrialPeriod == true
    for row in period.rows.upperBound..<book.chains[Int(period.chain)].rows.upperBound {
      guard book.purchases[row].purchasedAt <= limit else { return nil }
      if isFree ? isPaid(row) : courses.rows[row].kind == .regular { return row }
    }
    return nil
  }

  /// What an offer without a converting row is.
  private func openStatus(state: RenewalState?, maturesAt: Instant) -> ConversionStatus {
    guard asOf < maturesAt else { return .lapsed }
    return state?.isInBillingRetry == true ? .billingRetry : .pending
  }

  /// The sum of the rows' amounts; `nil` where one is unknown, or the sum does not fit.
  private func paid(for rows: Range<Int>) -> Milliunits? {
    var sum = Milliunits.zero
    for row in rows {
      guard let paid = amounts.amounts[row].paid else { return nil }
      let (total, overflow) = sum.rawValue.addingReportingOverflow(paid.rawValue)
      guard !overflow else { return nil }
      sum = Milliunits(total)
    }
    return sum
  }
}
