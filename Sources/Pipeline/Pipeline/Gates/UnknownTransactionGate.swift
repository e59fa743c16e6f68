internal import Diagnostics
internal import Warehouse

/// The gate `unknown_transactions`: reports have transaction ids that no purchase of the inputs
/// has.
///
/// The new files of a pipeline entry are checked together. The gate trips if more than a twentieth
/// of their reports, and at least 20, have such an id. Example: an export of 500 reports of a
/// merged staging database has 140 ids of StoreKit's test files.
struct UnknownTransactionGate {
  /// The patterns of the pipeline's price files.
  let patterns: [InputPattern]
  /// The new files, with their ids in state.db.
  let files: [(id: Int64, name: String)]

  /// The smallest number of unknown ids that is reported.
  static let fewest = 20

  func findings(_ sums: [Int64: ReportFileSums]) -> [GateFinding] {
    var entries: [String: (reports: Int, unknown: Int)] = [:]
    for file in files {
      guard let read = sums[file.id] else { continue }
      let entry = patterns.first { $0.holds(file.name) }?.text ?? file.name
      entries[entry, default: (0, 0)].reports += read.reports
      entries[entry, default: (0, 0)].unknown += read.unknownTransactions
    }
    return entries.sorted { $0.key < $1.key }.compactMap { entry, counts in
      guard counts.unknown >= Self.fewest, counts.unknown * 20 > counts.reports else { return nil }
      let name = OneLine.text(entry)
      var finding = GateFinding(
        .unknownTransactions,
        [
          GateFinding.Item(
            subject: entry,
            found: "\(counts.unknown) of \(Count.text(counts.reports, "report"))",
            expected: "transaction ids of purchases in the inputs")
        ],
        message: """
          \(counts.unknown) of \(Count.text(counts.reports, "report")) in \(name) have a \
          transaction id that no purchase of the inputs has. They may be of another store, of a \
          test environment or of another app, or the receipts of these purchases are missing. If \
          the reports name their store or environment, name its key under keys: platform or \
          environment.
          """, fault: "unknown_transactions \(entry)")
      finding.duration = .standing
      finding.page = .formats
      return finding
    }
  }
}
