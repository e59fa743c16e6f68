internal import ArgumentParser
internal import CivilTime
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

      EXAMPLES
        paidline-sample /var/tmp/store --customers 15000 --files 8
        paidline-sample SampleData --showcase
      """)

  @Argument(help: "The folder to write to; files of the same names are replaced.")
  var folder: String
  @Option(help: "How many customers.") var customers = 1000
  @Option(help: "The seed of every choice.") var seed: UInt64 = 1
  @Option(help: "The first day, YYYY-MM-DD in UTC.") var start = "2021-01-01"
  @Option(help: "How many days the store lives, 30 or more.") var days = 730
  @Option(help: "Export files of receipts, and as many of prices.") var files = 8
  @Flag(help: "One export file for each day, instead of --files.") var nights = false
  @Flag(help: "The checked-in store of SampleData; other options do not count.") var showcase =
    false

  func run() async throws {
    guard let firstDay = CivilDay(text: start) else {
      throw ValidationError("--start is no day: \(start)")
    }
    let options = SampleOptions(
      customers: customers, seed: seed, firstDay: firstDay, days: days,
      files: nights ? days : files)
    let store = SampleStore(showcase ? .showcase : options)
    do {
      try await SampleFolder(path: folder, hasPipeline: !showcase).write(store)
    } catch let error as CocoaError {
      let message = "paidline-sample: cannot write to \(folder): \(error.localizedDescription)\n"
      FileHandle.standardError.write(Data(message.utf8))
      throw ExitCode(73)  // EX_CANTCREAT
    }
    let counts = (store.truth.purchases.count, store.truth.offers.count)
    print("\(store.options.customers) random customers, \(counts.0) purchases, \(counts.1) offers")
  }
}
