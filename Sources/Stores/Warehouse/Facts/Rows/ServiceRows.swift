internal import Amounts
internal import Deciding
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// Writes `service_comparison`: the amounts that a hosted service books, beside the facts.
extension RowWriter {
  /// Writes the rows of a chain, if the pipeline reads the export of a service.
  mutating func writeComparison(ofChain index: Int, _ decided: borrowing DecidedHouseholds) {
    let chain = decided.purchases.chains[index]
    let compared = serviceComparison(
      ofChain: chain, decided.purchases, decided.timelines, decided.amounts.amounts,
      inputs: context.compared)
    for one in compared {
      let amount = decided.amounts.amounts[one.row]
      table.begin(.serviceComparison)
      table.key("purchase_key", decided.purchases.purchases[one.row].key.rawValue)
      table.text("service", one.service.name)
      table.integer("service_paid_milli", one.booked?.amount.rawValue)
      table.letters("service_currency", one.booked?.currency.rawValue)
      table.integer("paid_milli", amount.paid?.rawValue)
      table.letters("currency", amount.currency?.rawValue)
      table.text("cause", one.cause.rawValue)
      table.insert()
    }
  }
}
