internal import Amounts
internal import CivilTime
internal import Deciding
package import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// What the fourth step (deciding) finds beside the rows of facts.
struct DecidingPass: Sendable {
  /// The products of all purchases, including excluded purchases.
  private(set) var bought: Set<ProductID> = []
  /// For each corrected purchase, the amount that the rules find without the correction.
  private(set) var uncorrected: [PurchaseKey: UncorrectedAmount] = [:]
  /// The unexplained price rises, each with its chain.
  private(set) var questions: [PublishedSums.Question] = []
  /// For each chain, the next time at which a row changes without new data.
  ///
  /// Example: the end of a trial.
  private(set) var nextChanges: [ChainKey: Instant] = [:]
  /// The chains with a row whose amount depends on charges of later days in Apple's reports.
  ///
  /// A later day is at most ``SalesReportTotals/laterDays`` days after the day of the row.
  private(set) var onLaterCharges: Set<ChainKey> = []
  /// The keys of all purchases; empty unless the scope is kept.
  private(set) var purchases: [PurchaseKey] = []
  /// The decided chains; empty unless the scope is kept.
  private(set) var chains: [SubscriptionKey] = []
  /// All transaction ids of the decided chains; empty unless the scope is kept.
  private(set) var transactionIDs: [TransactionID] = []

  /// Decides the amounts of all households, and adds their rows to the fact store.
  ///
  /// - Parameter keepsScope: Whether the decided purchases and chains are listed.
  init(
    _ batches: HouseholdBatches, in context: DecidingContext, into facts: FactStore,
    _ written: FactContext, keepsScope: Bool
  ) throws(RunFailure) {
    try batches.forEach { batch throws(RunFailure) in
      let decided = try RunFailure.ofOverflow { () throws(AmountError) in
        try Deciding.decide(
          batch.batch, reportVerdicts: batch.reportVerdicts(in: context.prices), in: context)
      }
      let writer = facts.writer(written)
      try writer.add(decided)
      try writer.finish()
      return DecidingPass(batch, decided, written, keepsScope: keepsScope)
    } then: {
      add($0)
    }
  }

  private init(
    _ batch: HouseholdBatches.Batch, _ decided: DecidedHouseholds, _ written: FactContext,
    keepsScope: Bool
  ) {
    let rows = decided.purchases.purchases
    let keys = decided.purchases.chains.map {
      ChainKey($0.originalTransactionID, isSandbox: false, in: written.symbols)
    }
    bought = Set(rows.lazy.map(\.productID))
    for row in decided.amounts.corrected {
      uncorrected[rows[row.row].key] = UncorrectedAmount(
        rule: row.without.rule.rawValue, paidMilli: row.without.paid?.rawValue)
    }
    questions = decided.amounts.unexplainedRises.map {
      PublishedSums.Question(chain: keys[$0.chain.index], question: $0)
    }
    for (key, moment) in zip(keys, decided.nextChanges) {
      if let moment { nextChanges[key] = moment }
    }
    onLaterCharges = Set(decided.amounts.onLaterCharges.map { keys[$0.index] })
    guard keepsScope else { return }
    purchases = rows.map(\.key)
    chains = batch.chains
    transactionIDs = batch.transactionIDs
  }

  private mutating func add(_ other: DecidingPass) {
    bought.formUnion(other.bought)
    uncorrected.merge(other.uncorrected) { first, _ in first }
    questions += other.questions
    nextChanges.merge(other.nextChanges) { first, _ in first }
    onLaterCharges.formUnion(other.onLaterCharges)
    purchases += other.purchases
    chains += other.chains
    transactionIDs += other.transactionIDs
  }
}

extension RunFailure {
  /// Computes amounts; an overflow is a bug, because the readers limit all amounts.
  package static func ofOverflow<Value, Failure>(_ work: () throws(Failure) -> Value)
    throws(RunFailure) -> Value
  {
    do {
      return try work()
    } catch {
      throw RunFailure(.invariantBroken, "amount overflow: \(error)")
    }
  }
}
