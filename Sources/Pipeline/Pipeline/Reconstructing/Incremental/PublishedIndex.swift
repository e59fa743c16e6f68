internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore

/// The rows that the last publication kept for incremental runs: sums, chains and reports in use.
///
/// The rows are in state.db. They never decide an amount; they only show which households may be
/// skipped. If the rows are missing or belong to an earlier publication, all households are decided
/// again.
struct PublishedIndex: Sendable {
  let sums: PublishedSums
  /// The published chains, identified by position; their customers are in ``customers``.
  var chains: [ChainLink] = []
  var customers: [Households.ChainCustomer] = []
  /// The price reports in use, sorted by evidence id; their voters are not set yet.
  var placed: [PlacedReport] = []
  /// The customer, transaction id and verdicts of each placed report, in the order of ``placed``.
  var reports: [KnownReport] = []
  private(set) var offers = OfferLists()
  /// The units of each chain's rows, per cell of Apple's reports; empty if there are no reports.
  private(set) var cellRows: [(chain: ChainKey, row: CellRow)] = []
  /// The signed prices that vote.
  private(set) var votes: [PlacedBatch.Vote] = []

  /// Reads the rows that the last publication wrote to state.db for the next run.
  ///
  /// - Returns: The rows; `nil` if they belong to another publication or other settings, or are
  ///   damaged.
  static func read(
    _ state: StateDatabase, _ texts: StateTexts, contentDigest: String, settings: String
  ) throws(RunFailure) -> PublishedIndex? {
    guard let known = try state.incrementalState(), known.contentDigest == contentDigest,
      known.settings == settings, let sums = try? PublishedSums(rows: known.sums, texts)
    else { return nil }
    var index = PublishedIndex(sums: sums)
    let offers = try state.readIncrementalState(texts) { link in
      let position = ChainPosition(index.chains.count)
      for customer in link.customers {
        index.customers.append(Households.ChainCustomer(chain: position, customer: customer))
      }
      var link = link
      link.customers = []
      index.chains.append(link)
    } report: { placed, known in
      index.placed.append(placed)
      index.reports.append(known)
    } vote: { chain, placed in
      index.votes.append(PlacedBatch.Vote(chain: chain, placed: placed))
    } cellRows: { chain, rows in
      for row in rows { index.cellRows.append((chain, row)) }
    }
    guard let offers else { return nil }
    index.offers = offers
    return index
  }
}
