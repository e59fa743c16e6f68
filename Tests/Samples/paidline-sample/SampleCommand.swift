internal import ArgumentParser
internal import Diagnostics
internal import SampleStore

/// Generates the exports, the catalogue and the true amounts of a synthetic app.
@main
struct SampleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-sample",
    abstract: "Writes a synthetic store: exports, catalogue, pipeline and true amounts.",
    discussion: """
      The same options write the same bytes, except for signatures.

      --signed-from DAY replaces receipts by signed transactions with prices from that day on. \
      They are in signed/, under a root certificate of the store, signed/root.der. With \
      --signed-share 0.3, only three in ten customers have signed transactions. --signed-share \
      without --signed-from keeps all receipts and adds signed transactions.

      --hard makes a realistic, difficult store: 900 days from 2022-01-01 on, unless --start or \
      --days is given. Its truth.csv also has the reason why the exports determine an amount, or \
      why they do not. Phenomena: \
      \(HardPhenomenon.allCases.map(\.rawValue).joined(separator: ", ")); none (no phenomenon), \
      all (the phenomena listed before sparse), all-new (those from several-apps to \
      account-switch, without small-shop).

      --books adds Apple's daily reports, and truth-books.csv with the causes that a comparison \
      must find. Faults for --book-faults: \
      \(AppleReportFault.allCases.map(\.rawValue).joined(separator: ", ")); all \
      (every fault but monster).

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
