internal import Diagnostics
internal import Warehouse

/// The gate `storefront_currency`: the App Store does not use the currencies of price reports in
/// their storefronts.
///
/// The new files of a pipeline entry are checked together. The gate trips if more than 3 % of their
/// reports, and at least 20, have such a storefront. Example: a server writes the country of the IP
/// address, so 40 of 500 reports name the Netherlands with US dollars.
struct StorefrontCurrencyGate {
  /// The patterns of the pipeline's price files.
  let patterns: [InputPattern]
  /// The new files, with their ids in state.db.
  let files: [(id: Int64, name: String)]

  /// The smallest number of wrong storefronts that is reported.
  static let fewest = 20

  func findings(_ sums: [Int64: ReportFileSums]) -> [GateFinding] {
    var entries: [String: (reports: Int, wrong: Int)] = [:]
    for file in files {
      guard let read = sums[file.id] else { continue }
      let entry = patterns.first { $0.holds(file.name) }?.text ?? file.name
      entries[entry, default: (0, 0)].reports += read.reports
      entries[entry, default: (0, 0)].wrong += read.wrongPlaces
    }
    return entries.sorted { $0.key < $1.key }.compactMap { entry, counts in
      guard counts.wrong >= Self.fewest, counts.wrong * 100 > counts.reports * 3 else { return nil }
      let name = OneLine.text(entry)
      var finding = GateFinding(
        .storefrontCurrency,
        [
          GateFinding.Item(
            subject: entry,
            found: "\(counts.wrong) of \(Count.text(counts.reports, "report"))",
            expected: "storefronts that use the currency of the report")
        ],
        message: """
          \(counts.wrong) of \(Count.text(counts.reports, "report")) in \(name) name a storefront \
          in which the App Store does not use their currency. The field is probably the country of \
          the IP address, or of the phone's region, and not that of the App Store account. Leave \
          the field out, in receipts too: keys: {storefront: none} names a field that no record has.
          """, fault: "storefront_currency \(entry)")
      finding.duration = .standing
      finding.page = .formats
      return finding
    }
  }
}
