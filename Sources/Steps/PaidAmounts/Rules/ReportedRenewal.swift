internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The result of comparing a reported price with the expected price of the renewal.
enum ReportedRenewal: Hashable {
  /// The reported price can be the price of the row.
  ///
  /// The row is not a renewal, or the price is the expected price or at most the price of the
  /// earlier regular row.
  case fitting
  /// The price is higher than that of the earlier regular row, and is not the expected price.
  case another
  /// The expected price is unknown, because the price of the earlier regular row is unknown.
  case unknown
}

extension PriceEvidence {
  /// Compares the price in a report with the expected price of a renewal.
  ///
  /// Report and renewal have the same transaction id. The App Store renews subscriptions without
  /// the app. If an app reports a renewal at its next launch, the app sends the list price, but a
  /// subscriber may keep an older price. Example: 9.99 USD rose to 12.99 only for new subscribers.
  /// A report of 12.99 has the transaction id of a renewal three days before the report → the
  /// renewal is 9.99.
  ///
  /// There is an exception. If a purchase does not begin when the row before it ends, the customer
  /// may have bought again. A report within an hour of such a purchase is always fitting, unless a
  /// snapshot since the end of the row before it shows that Apple was still trying to charge.
  ///
  /// If the chain's first rows are missing from the exports, the first known row is a renewal too.
  /// If its price is in doubt (``truncatedHistory(_:_:_:)``), the reported price is not fitting.
  ///
  /// - Returns: ``ReportedRenewal/fitting`` if the reported price can be the price of the row,
  ///   ``ReportedRenewal/another`` if it cannot, and ``ReportedRenewal/unknown`` if the price of
  ///   the earlier regular row is unknown.
  func renewal(_ row: PricingContext, _ chainState: ChainPricingState, at price: ReportedPrice)
    throws(AmountError) -> ReportedRenewal
  {
    guard row.kind == .regular, let market = row.market else { return .fitting }
    if try hasTruncatedPrice(row, chainState) { return .another }
    let madeAt = report(price.position).reportedAt
    guard isRenewal(row),
      isContinuous(row) || isRecovered(row) || madeAt > row.time.advanced(by: .hours(1))
    else { return .fitting }
    let price = amount(of: price)
    guard let earlier = earlierRegularRow(row, chainState, .history) else { return .unknown }
    guard price > earlier.unitPrice else { return .fitting }
    let isPaid = row.lists.contains { list in
      switch pricing(row, market, in: list, after: earlier, .history) {
      case .kept(let paid, _), .listed(let paid): paid == price
      case .asBefore, .open: false
      }
    }
    return isPaid ? .fitting : .another
  }

  /// Returns true if the subscriber may keep a price from the time without known rows.
  ///
  /// The chain then has neither an earlier row of another product nor an earlier regular row with a
  /// known price. Example: the chain began in 2022 at 9.99
  /// USD, new subscribers pay 12.99 since 2023, and the first known row is of 2024. A report of
  /// 12.99 with the transaction id of this row shows the list price → true.
  private func hasTruncatedPrice(_ row: PricingContext, _ chainState: ChainPricingState)
    throws(AmountError) -> Bool
  {
    let product = book.purchases[row.row].productID
    guard earlierRegularRow(row, chainState, .history) == nil,
      book.purchases[book.chains[row.chain.index].rows.lowerBound..<row.row]
        .allSatisfy({ $0.productID == product })
    else { return false }
    var notes = DecisionNotes(areKept: false)
    return try truncatedHistory(row, chainState, &notes) != nil
  }

  /// Whether Apple was still trying to charge after the end of the row before this row.
  ///
  /// A snapshot between the two rows then shows billing retry or a grace period.
  private func isRecovered(_ row: PricingContext) -> Bool {
    let chain = book.chains[row.chain.index]
    guard row.row > chain.rows.lowerBound else { return false }
    let end = book.purchases[row.row - 1].endsAt
    return book.renewalStates[chain.renewalStates].contains { state in
      (state.isInBillingRetry == true || state.gracePeriodExpiresAt != nil)
        && state.observedAt < row.time && state.lastObservedAt >= end
    }
  }

  /// Whether a row begins within an hour of the end of the row before it, like a renewal.
  private func isContinuous(_ row: PricingContext) -> Bool {
    let first = book.chains[row.chain.index].rows.lowerBound
    guard row.row > first else { return false }
    let gap = row.time.since(book.purchases[row.row - 1].endsAt)
    return gap.magnitude <= .hours(1)
  }

  /// Whether a row follows a regular row of its product without a lapse.
  ///
  /// A late payment after a failed charge is a renewal too, and so is a payment after an offer.
  private func isRenewal(_ row: PricingContext) -> Bool {
    let first = book.chains[row.chain.index].rows.lowerBound
    var position = row.row
    while position > first, !timelines.rows[position].followsLapse {
      position -= 1
      guard book.purchases[position].productID == book.purchases[row.row].productID else {
        return false
      }
      if timelines.rows[position].kind == .regular { return true }
    }
    return false
  }
}
