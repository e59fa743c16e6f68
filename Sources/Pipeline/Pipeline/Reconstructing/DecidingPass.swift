internal import Amounts
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Synchronization
internal import Warehouse

/// The fourth step (deciding) for all households, on several threads.
final class DecidingPass: Sendable {
  /// The results of deciding, without the rows of facts.
  struct Result: Sendable {
    /// The products of all purchases, including excluded purchases.
    var bought: Set<ProductID> = []
    /// For each corrected purchase, the amount that the rules find without the correction.
    var uncorrected: [PurchaseKey: UncorrectedAmount] = [:]
    /// The unexplained price rises, each with its chain.
    var questions: [PublishedSums.Question] = []
    /// For each chain, the next time at which a row changes without new data.
    ///
    /// Example: the end of a trial.
    var nextChanges: [ChainKey: Instant] = [:]
    /// The chains with a row whose amount depends on charges of later days in Apple's reports.
    ///
    /// A later day is at most ``SalesReportTotals/laterDays`` days after the day of the row.
    var onLaterCharges: Set<ChainKey> = []
    /// The keys of all purchases; empty unless the scope is kept.
    var purchases: [PurchaseKey] = []
    /// The decided chains; empty unless the scope is kept.
    var chains: [SubscriptionKey] = []
    /// All transaction ids of the decided chains; empty unless the scope is kept.
    var transactionIDs: [TransactionID] = []
  }

  private let facts: FactStore
  private let context: DecidingContext
  private let written: FactContext
  private let keepsScope: Bool
  private let sum = Mutex(Result())

  init(
    facts: FactStore, context: DecidingContext, written: FactContext, keepsScope: Bool
  ) {
    self.keepsScope = keepsScope
    self.facts = facts
    self.context = context
    self.written = written
  }

  /// The results of all households that have been decided.
  var result: Result { sum.withLock { $0 } }

  /// Decides the amounts of all households, and adds their rows to the fact store.
  func decide(_ batches: HouseholdBatches) throws(RunFailure) {
    try batches.forEach { batch throws(RunFailure) in
      try decide(batch)
    } then: { _ in
    }
  }

  private func decide(_ batch: HouseholdBatches.Batch) throws(RunFailure) {
    let decided: DecidedHouseholds
    do {
      decided = try Deciding.decide(
        batch.batch, reportVerdicts: batch.reportVerdicts(in: context.prices), in: context)
    } catch {
      throw RunFailure(.invariantBroken, "amount overflow: \(error)")
    }
    let writer = facts.writer(written)
    try writer.add(decided)
    try writer.finish()
    let keys = decided.purchases.chains.map {
      ChainKey($0.originalTransactionID, isSandbox: false, in: written.symbols)
    }
    sum.withLock { sum in
      sum.bought.formUnion(decided.purchases.purchases.lazy.map(\.productID))
      for row in decided.amounts.corrected {
        sum.uncorrected[decided.purchases.purchases[row.row].key] = UncorrectedAmount(
          rule: row.without.rule.rawValue, paidMilli: row.without.paid?.rawValue)
      }
      sum.questions += decided.amounts.unexplainedRises.map {
        PublishedSums.Question(chain: keys[$0.chain.index], question: $0)
      }
      for (key, moment) in zip(keys, decided.nextChanges) {
        if let moment { sum.nextChanges[key] = moment }
      }
      for chain in decided.amounts.onLaterCharges { sum.onLaterCharges.insert(keys[chain.index]) }
      guard keepsScope else { return }
      sum.purchases += decided.purchases.purchases.map(\.key)
      sum.chains += batch.chains
      sum.transactionIDs += batch.transactionIDs
    }
  }
}
