internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The longest gap after an offer's end for which the next row is still contiguous: 24 hours.
private let contiguousGap = Milliseconds.hours(24)

extension SubscriptionRules {
  /// Returns one conversion per offer period, in the order of the offer periods.
  func conversions() -> [Conversion] {
    let rows = convertingRows()
    var conversions: [Conversion] = []
    conversions.reserveCapacity(timelines.offerPeriods.count)
    var chain: ChainPosition?
    var number: Int32 = 0
    for (index, period) in timelines.offerPeriods.enumerated() {
      number = period.chain == chain ? number + 1 : 1
      chain = period.chain
      conversions.append(
        conversion(of: period, at: index, number: number, by: rows[index]))
    }
    return conversions
  }

  /// Finds the row that can convert each offer period: the chain's first suitable row after the
  /// period.
  ///
  /// A free offer is converted by any paid row, including a row of a paid offer, because that row
  /// is the first payment. A paid offer is converted by any regular row, even at a price of 0. The
  /// element is `nil` if the chain has no suitable row. The time between offer and row is not
  /// limited here. A single sweep from the last row to the first keeps the cost linear in the
  /// number of rows.
  private func convertingRows() -> [Int?] {
    var rows = [Int?](repeating: nil, count: timelines.offerPeriods.count)
    var chain: ChainPosition?
    var cursor = 0
    var nextPaid: Int?
    var nextRegular: Int?
    for index in timelines.offerPeriods.indices.reversed() {
      let period = timelines.offerPeriods[index]
      if period.chain != chain {
        chain = period.chain
        cursor = book.chains[period.chain.index].rows.upperBound
        (nextPaid, nextRegular) = (nil, nil)
      }
      while cursor > period.rows.upperBound {
        cursor -= 1
        if isPaid(cursor) { nextPaid = cursor }
        if timelines.rows[cursor].kind == .regular { nextRegular = cursor }
      }
      let isFree = book.purchases[period.rows.lowerBound].isTrialPeriod == true
      rows[index] = isFree ? nextPaid : nextRegular
    }
    return rows
  }

  /// Creates the conversion of an offer, given the first row that can convert the offer.
  private func conversion(of period: OfferPeriod, at index: Int, number: Int32, by row: Int?)
    -> Conversion
  {
    let first = period.rows.lowerBound
    let offer = book.purchases[first]
    let endsAt = book.purchases[period.rows.upperBound - 1].endsAt
    let state = newestState(of: period.chain.index).map { book.renewalStates[$0] }
    let maturesAt = endsAt.advanced(by: timelines.conversionWindow(of: period, book))
    // Where nobody has looked since the offer ended, no time decides.
    let isUnseen = unseenEnd(ofChain: period.chain.index).map { $0.endsAt <= endsAt } ?? false
    let isOver = maturesAt <= asOf && !isUnseen
    var conversion = Conversion(
      offerPeriod: index, offerNumber: number, startedAt: offer.purchasedAt, endsAt: endsAt,
      paymentMode: amounts.amounts[first].paymentMode, offerPaid: paid(for: period.rows),
      status: openStatus(state: state, isOver: isOver), convertedBy: nil,
      isSameProduct: nil, isContiguous: nil, daysToConvert: nil, conversionRefundedAt: nil,
      autoRenewStatus: state?.willGoOn, expirationIntent: state?.expirationIntent,
      maturesAt: maturesAt, isMature: isOver)
    guard let row, book.purchases[row].purchasedAt <= maturesAt else { return conversion }

    let purchase = book.purchases[row]
    conversion.status = .converted
    conversion.convertedBy = RowPosition(row)
    conversion.isSameProduct = purchase.productID == offer.productID
    conversion.isContiguous = purchase.purchasedAt <= endsAt.advanced(by: contiguousGap)
    conversion.daysToConvert = purchase.purchasedAt.since(offer.purchasedAt).wholeDays
    if let reversal = timelines.rows[row].reversal, reversal.kind == .refund {
      conversion.conversionRefundedAt = reversal.at
    }
    return conversion
  }

  /// The status of an offer that has not converted.
  private func openStatus(state: RenewalState?, isOver: Bool) -> ConversionStatus {
    guard !isOver else { return .lapsed }
    return state?.isInBillingRetry == true ? .billingRetry : .pending
  }

  /// The sum of the rows' amounts in milliunits.
  ///
  /// `nil` if an amount is unknown, or if the sum overflows.
  private func paid(for rows: Range<Int>) -> Milliunits? {
    var sum = Milliunits.zero
    for row in rows {
      guard let paid = amounts.amounts[row].paid, let total = try? sum.adding(paid) else {
        return nil
      }
      sum = total
    }
    return sum
  }
}
