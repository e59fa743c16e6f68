internal import PurchaseModel

/// The fault of a report in a currency that others in the same storefront do not report.
enum CurrencyFault: Sendable {
  /// It names the storefront itself, so that its price is not believed.
  case mismatch
  /// It has the place from its household, so that it was made elsewhere: its place is unknown.
  case elsewhere
}

/// All reports to learn from, by evidence id, after their currencies have been compared.
///
/// Reports are as they were placed, but for those made elsewhere, whose place is unknown.
struct ComparedReports: RandomAccessCollection, Sendable {
  private let placed: [PlacedReport]
  private let faults: [CurrencyFault?]

  /// Compares the currencies of reports.
  init(_ placed: [PlacedReport], workers: Int) {
    self.placed = placed
    faults = CurrencyMismatches.find(placed, workers: workers)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { placed.count }

  /// The report at a position.
  subscript(position: Int) -> PlacedReport {
    var report = placed[position]
    if faults[position] == .elsewhere { report.place = nil }
    return report
  }

  /// Whether others contradict the currency of a report; never that of a signed price.
  func isMismatch(_ report: ReportPosition) -> Bool {
    faults[report.index] == .mismatch && !placed[report.index].isSigned
  }
}
