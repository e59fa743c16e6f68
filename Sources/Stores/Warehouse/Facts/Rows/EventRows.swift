internal import Amounts
internal import Deciding
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes `fct_subscription_event`: the events of subscriptions.
extension RowWriter {
  mutating func writeEvents(_ decided: borrowing DecidedHouseholds) throws(AmountError) {
    var number: Int64 = 0
    for event in decided.events {
      let row = event.row.index
      let purchase = decided.purchases.purchases[row]
      number = event.isBeginning ? 0 : number + 1
      table.begin(.subscriptionEvent)
      table.integer("purchase_key", purchase.key.rawValue)
      table.integer("event_number", number)
      table.text("event", try name(of: event, purchase, row, decided))
      table.time("event_at", event.at)
      table.flag("is_beginning", event.isBeginning)
      table.text("former_product_id", event.formerProductID?.symbol)
      table.integer("running_change", Int64(event.runningChange))
      table.insert()
    }
  }

  /// The name of an event; a refund of nothing is `revoked`.
  private func name(
    of event: SubscriptionEvent, _ purchase: Purchase, _ row: Int,
    _ decided: borrowing DecidedHouseholds
  ) throws(AmountError) -> String {
    guard event.kind == .reversed else { return event.kind.rawValue }
    let amount = decided.amounts.amounts[row]
    let refunds = try RowRefunds(
      purchase, decided.timelines.rows[row], amount, items: itemRefunds(of: purchase))
    return amount.status == .zeroByRule || refunds.stated == .zero ? "revoked" : "refunded"
  }
}
