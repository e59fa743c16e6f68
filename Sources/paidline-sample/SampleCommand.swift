internal import ArgumentParser
internal import CivilTime
internal import Diagnostics
internal import Foundation
internal import SampleStore

/// Invents an App Store app and writes its exports, its catalogue and the truth about it.
@main
struct SampleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-sample",
    abstract: "Writes a synthetic store: receipts, price reports, catalogue, pipeline and truth.",
    discussion: """
      Equal options give equal bytes.

      --hard makes a store as awkward as real ones, from 2022-01-01 on and 900 days long unless \
      said otherwise; its truth.csv also says why the exports determine an amount, or why not. \
      Phenomena: \(HardPhenomenon.allCases.map(\.rawValue).joined(separator: ", ")), \
      none (the hard world without them), all (everything but sparse).

      EXAMPLES
        paidline-sample /var/tmp/store --customers 15000 --files 8
        paidline-sample /var/tmp/hard --customers 2500 --hard movers,late-reports
        paidline-sample SampleData --showcase
      """, version: "paidline-sample \(Release.version)")

  @Argument(help: "The folder to write to; files of the same names are replaced.")
  var folder: String
  @Option(help: "How many customers.") var customers = 1000
  @Option(help: "The seed of every choice.") var seed: UInt64 = 1
  @Option(help: "The first day, YYYY-MM-DD in UTC (default: 2021-01-01).") var start: String?
  @Option(help: "How many days the store lives, 30 or more (default: 730).") var days: Int?
  @Option(help: "Export files of receipts, and as many of prices.") var files = 8
  @Flag(help: "One export file for each day, instead of --files.") var nights = false
  @Option(help: "Hard phenomena, NAME[,NAME], none or all.") var hard: String?
  @Flag(help: "The store of SampleData; other options do not count.") var showcase = false

  func run() async throws {
    let usual = hard == nil ? ("2021-01-01", 730) : HardStore.usualDays
    guard let firstDay = CivilDay(text: start ?? usual.0) else {
      throw ValidationError("--start is no day: \(start ?? "")")
    }
    let days = days ?? usual.1
    let options = SampleOptions(
      customers: customers, seed: seed, firstDay: firstDay, days: days,
      files: nights ? days : files)
    let store = try store(showcase ? .showcase : options)
    try await SampleFolder(path: folder, hasPipeline: !showcase).write(store)
    let counts = (store.truth.purchases.count, store.truth.offers.count)
    print("\(store.options.customers) random customers, \(counts.0) purchases, \(counts.1) offers")
  }

  private func store(_ options: SampleOptions) throws -> any SyntheticStore {
    guard let hard, !showcase else { return SampleStore(options) }
    guard let phenomena = HardPhenomenon.list(hard) else {
      throw ValidationError("--hard \(hard): an unknown phenomenon; --help lists them")
    }
    return HardStore(options, phenomena)
  }
}
