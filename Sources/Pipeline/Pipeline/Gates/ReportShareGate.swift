internal import Diagnostics
internal import Warehouse

/// The gates `unknown_transactions` and `storefront_currency`: many price reports share a fault.
///
/// The new files of a pipeline entry are checked together. A gate trips if more than a share of
/// their reports, and at least 20, have the fault. Examples: an export of 500 reports of a merged
/// staging database has 140 ids of StoreKit's test files; a server writes the country of the IP
/// address, so 40 of 500 reports name the Netherlands with US dollars.
struct ReportShareGate: Sendable {
  /// The smallest number of reports with the fault that is reported.
  static let fewest = 20

  let gate: Gate
  /// The number of reports of a file that have the fault.
  let count: @Sendable (ReportFileSums) -> Int
  /// The largest share that does not trip the gate, in hundredths.
  let percent: Int
  /// What reports should have.
  let expected: String
  /// What the reports with the fault have, why this may be, and what to do.
  let advice: String

  /// More than a twentieth of the reports have transaction ids that no purchase of the inputs has.
  static let unknownTransactions = ReportShareGate(
    gate: .unknownTransactions, count: \.unknownTransactions, percent: 5,
    expected: "transaction ids of purchases in the inputs",
    advice: """
      have a transaction id that no purchase of the inputs has. They may be of another store, of a \
      test environment or of another app, or the receipts of these purchases are missing. If the \
      reports name their store or environment, name its key under keys: platform or environment.
      """)

  /// In more than 3 % of the reports, the App Store does not use the currency in the storefront.
  static let storefrontCurrency = ReportShareGate(
    gate: .storefrontCurrency, count: \.wrongPlaces, percent: 3,
    expected: "storefronts that use the currency of the report",
    advice: """
      name a storefront in which the App Store does not use their currency. The field is probably \
      the country of the IP address, or of the phone's region, and not that of the App Store \
      account. Leave the field out, in receipts too: keys: {storefront: none} names a field that \
      no record has.
      """)

  /// The findings about new files, one for each pipeline entry.
  ///
  /// - Parameters:
  ///   - files: The new files, with their ids in state.db.
  ///   - patterns: The patterns of the pipeline's price files.
  func findings(
    _ files: [(id: Int64, name: String)], of patterns: [InputPattern],
    _ sums: [Int64: ReportFileSums]
  ) -> [GateFinding] {
    var entries: [String: (reports: Int, faulty: Int)] = [:]
    for file in files {
      guard let read = sums[file.id] else { continue }
      let entry = patterns.first { $0.holds(file.name) }?.text ?? file.name
      entries[entry, default: (0, 0)].reports += read.reports
      entries[entry, default: (0, 0)].faulty += count(read)
    }
    return entries.sorted { $0.key < $1.key }.compactMap { entry, counts in
      guard counts.faulty >= Self.fewest, counts.faulty * 100 > counts.reports * percent else {
        return nil
      }
      let found = "\(counts.faulty) of \(Count.text(counts.reports, "report"))"
      var finding = GateFinding(
        gate, [GateFinding.Item(subject: entry, found: found, expected: expected)],
        message: "\(found) in \(OneLine.text(entry)) \(advice)")
      finding.duration = .standing
      finding.page = .formats
      return finding
    }
  }
}
