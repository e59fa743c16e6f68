internal import ArgumentParser
internal import SampleStore

/// Measures how well a comparison of the facts with Apple's reports finds the causes of
/// differences.
///
/// The result is a table.
struct BooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "books",
    abstract: "Compares the causes of differences from Apple's reports with the truth.",
    discussion: """
      Runs the pipeline of each store twice, without Apple's reports and with them. A store is a \
      folder with pipeline.yaml, truth.csv and truth-books.csv, as paidline-sample --books writes \
      it. Then compares each row's match with the best assignment of all rows and units, which \
      takes longer. Removes each store's databases first.

      EXAMPLE
        paidline-bench books vendor vendor-hard
      """)

  @Argument(help: "The folders of the stores.")
  var folders: [String]

  func run() throws {
    for folder in folders {
      var score = ReconciliationScore()
      let store = StoreFolder(path: folder)
      try store.compare(&score)
      print("\(folder)\n\n\(score.markdown)\n\n\(try store.assignments().markdown)\n")
    }
  }
}
