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
  package let settings: ReconstructSettings
  package let files: FilterFiles
  package let products: ProductRows
  package let joined: JoinedSide

  package init(
    settings: ReconstructSettings, files: FilterFiles, products: ProductRows, joined: JoinedSide
  ) {
    self.settings = settings
    self.files = files
    self.products = products
    self.joined = joined
  }

  /// Reads rows `house` and writes rows `placed` and `signed`.
  package func run() throws(RunFailure) {
    let households = try GatheredHouseholds(
      settings: settings, files: files, joined: joined, products: products)
    let output = FilterOutput(PlacedRows.tags)
    var symbols = households.set.symbols
    let facts = products.facts(in: &symbols)
    let catalogue = facts.apps.settled(settings.catalogue.catalogue(in: symbols))
    let periods = facts.periods(catalogue: catalogue)
    let packer = PlacedPacker(symbols)
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
