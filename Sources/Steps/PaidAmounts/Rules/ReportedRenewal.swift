internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// A report's price beside the price that the renewal it names should have.
enum ReportedRenewal: Hashable {
  /// The row is no renewal, or the price is what the subscriber pays.
  case fitting
  /// The price is dearer than what the subscriber pays.
  case another
  /// The price before is not known.
  case unknown
}

extension PriceEvidence {
  /// Compares a reported price with the renewal that it names.
  ///
  /// The App Store renews a subscription, nobody buys it in the app. An app that reports the
  /// renewals it learns of shows the list price beside them, at the next launch, and a subscriber
  /// may keep an older price. For example 9.99 USD rose to 12.99 only for new subscribers, and a
  /// report of 12.99 names a renewal of three days ago: 9.99. A report of the hour of the purchase
  /// is not meant.
  func renewal(_ row: PricingContext, _ memory: ChainMemory, at price: ReportedPrice)
    -> ReportedRenewal
  {
    let madeAt = report(price.position).reportedAt
    guard row.kind == .regular, madeAt > row.time.advanced(by: .hours(1)), isRenewal(row),
      let market = row.market
    else { return .fitting }
    let price = amount(of: price)
    guard let earlier = earlierRegularRow(row, market, memory) else { return .unknown }
    guard price > earlier.unitPrice else { return .fitting }
    let isPaid = row.lists.contains { list in
      switch pricing(row, market, in: list, after: earlier, .history) {
      case .kept(let paid, _), .listed(let paid): paid == price
      case .asBefore, .open: false
      }
    }
    return isPaid ? .fitting : .another
  }

  /// Whether a row follows a regular row of its product without a lapse; a payment that failed at
  /// first keeps its price too.
  private func isRenewal(_ row: PricingContext) -> Bool {
    let before = row.row - 1
    guard book.chains[row.chain.index].rows.contains(before),
      timelines.rows[before].kind == .regular, !timelines.rows[row.row].followsLapse
    else { return false }
    return book.purchases[before].productID == book.purchases[row.row].productID
  }
}
