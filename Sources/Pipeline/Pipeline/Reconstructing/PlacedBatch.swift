internal import CivilTime
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore

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
    var known: KnownReport
  }

  /// The reports that belong to the batch's households or to no household.
  let reports: [Report]
  /// The signed prices that have a vote.
  let votes: [Vote]

  /// Places the reports of a batch, and finds the signed prices that vote.
  init(
    _ batch: HouseholdBatches.Batch, catalogue: Catalogue, products: ProductFacts,
    periods: [ProductID: Period], symbols: SymbolTable
  ) {
    let placed = batch.batch.placedReports(periods: periods)
    reports = zip(batch.members, placed).enumerated().compactMap {
      let (member, placed) = $0.element
      guard member.isOwn else { return nil }
      let seen = batch.batch.reports[$0.offset]
      return Report(
        position: member.position, placed: placed,
        known: KnownReport(
          customer: seen.report.customer, transactionID: seen.report.transactionID,
          named: seen.named, namedChain: member.namedChain))
    }
    let book = batch.batch.book
    guard book.purchases.contains(where: { $0.signed?.price != nil }) else {
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
