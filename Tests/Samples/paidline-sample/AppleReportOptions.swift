internal import ArgumentParser
internal import SampleStore

struct AppleReportOptions: ParsableArguments {
  @Flag(
    help: "Also write Apple's daily reports, to apple/; truth-books.csv has the causes to find.")
  var books = false
  @Option(help: "With --books: the number of customers per thousand who never send a receipt.")
  var missingReceipts = 0
  @Option(
    help: "With --books: the faults of the reports: NAME[,NAME], none or all (--help lists them).")
  var bookFaults = "none"

  /// Creates a store with Apple's reports.
  ///
  /// If `phenomena` is `nil`, the store is an ordinary store; otherwise it is a difficult store
  /// with the given phenomena.
  func store(_ options: SampleOptions, _ phenomena: [HardPhenomenon]?) throws -> AppleReportStore {
    guard let faults = AppleReportFault.list(bookFaults) else {
      throw ValidationError("--book-faults \(bookFaults): an unknown fault; --help lists them")
    }
    return AppleReportStore(
      options, phenomena, faults: faults, missingPerMille: missingReceipts)
  }
}
