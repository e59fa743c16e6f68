internal import PaidAmounts
package import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The result of the step learn: price books with and without signed prices.
package struct LearnedPrices: Sendable {
  /// The price book learned from all evidence.
  package let prices: PriceBook
  /// The price book learned from reports only, for the backtest; `nil` if no price is signed.
  let backtestPrices: PriceBook?

  /// Learns the prices.
  ///
  /// - Parameters:
  ///   - reports: All reports in use, sorted by evidence id; signed prices stand behind them for a
  ///     while, so that no copy is needed.
  ///   - signed: The signed prices that have a vote, in any order.
  ///   - isSigned: Whether any price in the input is signed, even if none has a vote.
  ///   - times: The first sale of each product and the as-of time, which limit the possible times
  ///     of a report; see ``SaleTimes``.
  ///   - workers: The number of threads; the result does not depend on it.
  init(
    _ reports: inout [PlacedReport], signed: [PlacedReport], isSigned: Bool,
    offers: OfferLists, catalogue: Catalogue, times: SaleTimes, workers: Int
  ) {
    // The result must not depend on the order of the batches.
    reports += signed.sorted { $0.evidenceID < $1.evidenceID }
    prices = learnPrices(
      from: reports, offers: offers, catalogue: catalogue, times: times, workers: workers)
    reports.removeLast(signed.count)
    backtestPrices =
      isSigned
      ? learnPrices(
        from: reports, offers: offers, catalogue: catalogue, times: times, workers: workers)
      : nil
  }

  /// The price book for backtests: ``prices`` if no price is signed.
  var unsigned: PriceBook { backtestPrices ?? prices }
}

/// The placed reports of a batch of households, and the signed prices that have a vote.
struct PlacedBatch: Sendable {
  /// A signed price that has a vote, and the chain of its purchase.
  struct Vote: Sendable {
    var chain: ChainKey
    var placed: PlacedReport
  }

  /// A placed report with its customer and its purchase.
  struct Report: BitwiseCopyable, Sendable {
    /// The report's position among all reports that are used.
    var position: ReportPosition
    var placed: PlacedReport
    var customer: CustomerID?
    var transactionID: TransactionID?
    var named: NamedPurchase?
    var namedChain: ChainPosition?
  }

  /// The reports that belong to the batch's households or to no household.
  let reports: [Report]
  /// The signed prices that have a vote.
  let votes: [Vote]
  /// Whether any price in the batch is signed, even if none has a vote.
  let isSigned: Bool

  /// Places the reports of a batch, and finds the signed prices that vote.
  init(
    _ batch: HouseholdBatches.Batch, catalogue: Catalogue, products: ProductFacts,
    symbols: SymbolTable
  ) {
    let placed = batch.batch.placedReports(periods: products.periods(catalogue: catalogue))
    reports = zip(batch.members, placed).enumerated().compactMap {
      let (member, placed) = $0.element
      guard member.isOwn else { return nil }
      let seen = batch.batch.reports[$0.offset]
      return Report(
        position: member.position, placed: placed, customer: seen.report.customer,
        transactionID: seen.report.transactionID, named: seen.named,
        namedChain: member.namedChain)
    }
    let book = batch.batch.book
    isSigned = book.purchases.contains { $0.signed?.price != nil }
    guard isSigned else {
      votes = []
      return
    }
    let timelines = Purchases.timelines(of: book, catalogue: catalogue, facts: products)
    let voter = { (household: HouseholdNumber?) in
      household.map { batch.voters[Int($0.rawValue)] } ?? Voter(-1)
    }
    votes = batch.batch.signedVotes(timelines: timelines, voter: voter).map { vote in
      let id = book.chains[vote.chain.index].originalTransactionID
      return Vote(chain: ChainKey(id, isSandbox: false, in: symbols), placed: vote.placed)
    }
  }
}
