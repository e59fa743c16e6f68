internal import Deciding
package import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore

/// Runs `paidline-reconstruct place`: places price reports.
///
/// Input: whole households. Output: their reports, each with the storefront and time to which its
/// price applies, and the votes of signed prices.
package struct PlaceFilter {
  private let context: FilterContext

  package init(_ context: FilterContext) { self.context = context }

  /// Reads rows `house` and writes rows `placed` and `signed`.
  package func run() throws(RunFailure) {
    let households = try GatheredHouseholds(context)
    let output = FilterOutput(PlacedRows.tags)
    let (facts, catalogue) = (households.products, households.catalogue)
    let periods = facts.periods(catalogue: catalogue)
    let packer = PlacedPacker(households.set.symbols)
    func write(_ report: PlacedReport, isOfPlaceholder: Bool, _ offers: OfferLists)
      throws(RunFailure)
    {
      let payload = packer.payload(report, offers: offers[report.offers])
      try PlacedRows.write(report, isOfPlaceholder: isOfPlaceholder, payload, to: output)
    }
    try households.forEachBatch { several throws(RunFailure) in
      let batch = several.batch
      for (role, report) in zip(several.roles, batch.placedReports(periods: periods))
      where role != .names {
        try write(report, isOfPlaceholder: role == .unassigned, batch.offers)
      }
      guard batch.book.purchases.contains(where: { $0.signed?.price != nil }) else { return }
      let votes = batch.signedVotes(
        timelines: Purchases.timelines(of: batch.book, catalogue: catalogue, facts: facts)
      ) { $0.map { Voter(several.numbers[Int($0.rawValue)]) } ?? Voter(-1) }
      for vote in votes { try write(vote.placed, isOfPlaceholder: false, batch.offers) }
    }
    try output.finish()
  }
}
