internal import ArgumentParser
internal import Diagnostics
internal import SampleStore

/// Generates the exports, the catalogue and the true amounts of a synthetic app.
@main
struct SampleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-sample",
    abstract: "Writes a synthetic store: receipts, price reports, catalogue, pipeline and truth.",
    discussion: """
      Equal options give equal bytes, but for signatures.

      --signed-from DAY writes what Apple answers from that day on as signed transactions in the \
      place of receipts, with the price of what was bought from then on, to signed/, under a root \
      of the store's own: signed/root.der. --signed-share 0.3 does so for that share of the \
      customers; alone, it adds signed transactions and leaves the receipts as they are.

      --hard makes a store as awkward as real ones, from 2022-01-01 on and 900 days long unless \
      said otherwise; its truth.csv also says why the exports determine an amount, or why not. \
      Phenomena: \(HardPhenomenon.allCases.map(\.rawValue).joined(separator: ", ")), \
      none (the hard world without them), all (the first eleven together), all-new (those after \
      sparse together).

      --books adds Apple's daily reports of either store, and truth-books.csv with the causes that \
      a comparison must find. Faults for --book-faults: \
      \(AppleReportFault.allCases.map(\.rawValue).joined(separator: ", ")), all (all but monster).

      EXAMPLES
        paidline-sample store --customers 15000 --files 8
        paidline-sample both --start 2021-01-01 --days 1460 --signed-from 2024-01-01
        paidline-sample hard --customers 2500 --hard movers,late-reports
        paidline-sample books --customers 15000 --books --missing-receipts 50
        paidline-sample vendor --books --hard all --book-faults all
        paidline-sample SampleData --showcase
      """, version: "paidline-sample \(Release.version)")

  @Argument(help: "The folder to write to; files of the same names are replaced.")
  var folder: String
  @OptionGroup var choice: StoreChoice

  func run() async throws {
    let store = try choice.store()
    try await SampleFolder(path: folder, hasPipeline: !choice.showcase).write(store)
    let counts = (store.truth.purchases.count, store.truth.offers.count)
    print("\(store.options.customers) random customers, \(counts.0) purchases, \(counts.1) offers")
  }
}
