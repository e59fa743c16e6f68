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
package struct PlaceFilter: FilterStep {
  package static let name = "place"
  package static let summary =
    "Read households, and write the storefront and the time of each price report."
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
      let batch = several.households.batch
      let found = PlacedBatch(
        several.households, catalogue: catalogue, products: facts, periods: periods,
        symbols: households.set.symbols)
      for report in found.reports {
        let household = batch.reports[report.position.index].household
        try write(report.placed, isOfPlaceholder: household == nil, batch.offers)
      }
      for vote in found.votes { try write(vote.placed, isOfPlaceholder: false, batch.offers) }
    }
    try output.finish()
  }
}
