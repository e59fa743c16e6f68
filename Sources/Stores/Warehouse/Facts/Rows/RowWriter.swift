internal import Amounts
internal import Deciding
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes the rows of decided households; each extension writes the rows of one or two tables.
struct RowWriter: ~Copyable {
  let context: FactContext
  var customers: CustomerKeys
  var table: RowEncoder

  init(_ context: FactContext) {
    self.context = context
    customers = CustomerKeys(context)
    table = RowEncoder(texts: context.texts)
  }

  mutating func removeAll() {
    table.rows.removeAll()
    customers.removeAll()
  }

  /// Writes all rows of some households.
  mutating func write(_ decided: borrowing DecidedHouseholds) throws(AmountError) {
    for chain in decided.purchases.chains.indices {
      try writeRevenue(ofChain: chain, decided)
      writeStates(ofChain: chain, decided)
      writeComparison(ofChain: chain, decided)
    }
    for conversion in decided.subscriptions.conversions { write(conversion, decided) }
    for subscription in decided.subscriptions.subscriptions { write(subscription, decided) }
    try writeEvents(decided)
    for eligibility in decided.eligibility { write(eligibility, decided) }
    for (report, reportVerdict) in zip(decided.reports, decided.reportVerdicts) {
      write(report, reportVerdict, decided)
    }
    writeAliases(decided)
    writeExcluded(decided)
  }
}
