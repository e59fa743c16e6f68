internal import Amounts
internal import CivilTime
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
  /// The chain's first rows are missing, and the subscriber may pay less than the reported price.
  case aboveKeptPrice
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
  /// There is an exception. If a purchase does not begin within an hour of the end of the previous
  /// row, the customer may have bought again. A report made at most an hour after such a purchase
  /// is always fitting. The exception does not apply if a snapshot after the end of the previous
  /// row shows that Apple was still trying to charge.
  ///
  /// If the chain's first rows are missing from the exports, the first known row is a renewal too;
  /// see ``mayKeepLower(_:_:than:)``.
  ///
  /// - Returns: ``ReportedRenewal/fitting`` if the reported price can be the price of the row. If
  ///   the report states an amount that was charged, ``ReportedRenewal/unknown`` is returned in
  ///   place of ``ReportedRenewal/aboveKeptPrice``.
  func renewal(_ row: PricingContext, _ chainState: ChainPricingState, at price: ReportedPrice)
    throws(AmountError) -> ReportedRenewal
  {
    guard row.kind == .regular, let market = row.market else { return .fitting }
    if try mayKeepLower(row, chainState, than: amount(of: price)) {
      return report(price.position).meaning == .charged ? .unknown : .aboveKeptPrice
    }
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

  /// Returns true if the subscriber may keep a lower price than the reported price.
  ///
  /// The lower price is from the time without known rows. Always false if the chain has an earlier
  /// row of another product, or an earlier regular row with a known price. Example: the chain began
  /// in 2022 at 9.99 USD, and new subscribers pay 12.99 USD since 2023. The first known row is of
  /// 2024. A report of 12.99 USD with the transaction id of this row shows the list price → true.
  private func mayKeepLower(
    _ row: PricingContext, _ chainState: ChainPricingState, than price: Milliunits
  ) throws(AmountError) -> Bool {
    let purchase = book.purchases[row.row]
    let first = book.chains[row.chain.index].rows.lowerBound
    var notes = DecisionNotes(areKept: false)
    guard earlierRegularRow(row, chainState, .history) == nil,
      let bounds = try truncatedHistory(row, chainState, &notes),
      book.purchases[first..<row.row].allSatisfy({ $0.productID == purchase.productID })
    else { return false }
    return bounds.low < (try price.multiplied(by: row.quantity))
  }

  /// Whether Apple was still trying to charge after the end of the chain's previous row.
  ///
  /// The newest snapshot before the given row then shows billing retry or a grace period.
  private func isRecovered(_ row: PricingContext) -> Bool {
    let chain = book.chains[row.chain.index]
    guard row.row > chain.rows.lowerBound,
      let state = book.newestRenewalState(of: chain, before: row.time)
    else { return false }
    return (state.isInBillingRetry == true || state.gracePeriodExpiresAt != nil)
      && state.lastObservedAt >= book.purchases[row.row - 1].endsAt
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
