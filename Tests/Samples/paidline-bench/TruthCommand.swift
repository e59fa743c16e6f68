internal import ArgumentParser
internal import SampleStore

/// Measures how many amounts of a pipeline are right, for stores with a known truth.
///
/// The result is a table.
struct TruthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "truth",
    abstract: "Runs pipelines over stores with a truth.csv, and prints how right they are.",
    discussion: """
      Removes each store's databases first. A store is a folder with pipeline.yaml, truth.csv,
      truth-offers.csv and eurofxref-hist.csv, as paidline-sample --hard writes it; other
      generators may write their own. Folders whose names differ only in a number at the end
      (hard-movers-1, hard-movers-2) are one line of the table.

      EXAMPLE
        paidline-bench truth .build/bench/hard-*
      """)

  @Argument(help: "The folders of the stores.")
  var folders: [String]
  @Option(help: "How many of the most frequent deviations to list for each line.") var kinds = 0

  func run() throws {
    var table = AccuracyTable()
    for folder in folders {
      table.add(try StoreFolder(path: folder).score(), to: AccuracyTable.kind(ofFolder: folder))
    }
    print(table.markdown)
    if kinds > 0 { print("\n" + table.deviations(most: kinds)) }
  }
}
