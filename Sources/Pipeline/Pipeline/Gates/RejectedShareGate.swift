internal import SharedTables
internal import Diagnostics
internal import PurchaseModel

/// The gate `rejected_share`: too many records or rows are unusable.
///
/// The gate checks all newly read files of a kind together. There are too many rejects in one of
/// two cases:
/// - The rejects exceed a percentage **and** reach a number. So one broken line among forty records
///   does not stop a run.
/// - More than half of the content of a single file is rejected.
///
/// Fewer rejects cause a warning, so that nothing unusable is skipped silently.
///
/// Example: with `{share: 0.01, at_least: 20}`, 25 rejects in 2,000 records (1.25 %) are too many;
/// 2 in 40 are not.
struct RejectedShareGate: Hashable {
  /// The largest accepted ratio of rejects, in millionths: 10,000 for 1 %.
  let perMillion: Int
  /// The smallest number of rejects, over all files of a kind, that can be too many.
  let atLeast: Int

  init(_ rules: GateRules) {
    perMillion = rules.rejectedPerMillion
    atLeast = rules.fewestRejected
  }

  /// The number of all records or rows of files, and the number of rejected ones among them.
  struct Account: Hashable {
    var total: Int
    var rejected: Int
  }

  /// Returns true if the rejects exceed ``perMillion`` and are at least ``atLeast``.
  func stops(_ account: Account) -> Bool {
    account.rejected >= atLeast && account.rejected * 1_000_000 > perMillion * account.total
  }

  /// Returns true if more than half of a file is rejected.
  static func isMostlyRejected(_ account: Account) -> Bool { account.rejected * 2 > account.total }

  /// Returns true if files of one kind that are read together have too many rejects.
  ///
  /// Files without any usable record are left out; another gate reports them.
  func isExceeded(_ files: [RecordTally]) -> Bool {
    let tallies = files.filter { !$0.hasNoUsableRecord }
    var sum = RecordTally()
    for tally in tallies { sum.add(tally) }
    return stops(sum.recordAccount) || stops(sum.rowAccount)
      || tallies.contains {
        Self.isMostlyRejected($0.recordAccount) || Self.isMostlyRejected($0.rowAccount)
      }
  }

  /// Returns a finding about the rejected records and rows of files that are read together.
  ///
  /// `nil` if all records and rows are usable. All files are of one kind.
  func finding(
    _ files: [StoredFile], of kind: InputFile.Kind, rejects: RejectExamples.Source
  ) throws(RunFailure) -> GateFinding? {
    let usable = files.filter { !$0.tally.hasNoUsableRecord }
    var sum = RecordTally()
    for file in usable { sum.add(file.tally) }
    guard sum.rejected + sum.rows.rejected > 0 else { return nil }
    let expected = "at most \(Share.percent(perMillion, 1_000_000)), or fewer than \(atLeast)"
    var items: [GateFinding.Item] = []
    for (noun, account) in [("record", sum.recordAccount), ("row", sum.rowAccount)]
    where account.rejected > 0 {
      items.append(
        GateFinding.Item(
          subject: "\(kind.rawValue) \(noun)s", found: Self.found(account, noun),
          expected: expected))
    }
    for file in usable {
      for (noun, account) in [("record", file.tally.recordAccount), ("row", file.tally.rowAccount)]
      where Self.isMostlyRejected(account) {
        items.append(
          GateFinding.Item(
            subject: file.name, found: Self.found(account, noun), expected: "at most half"))
        break
      }
    }
    let trips = isExceeded(usable.map(\.tally))
    let examples = try rejects(
      usable.filter { $0.tally.rejected + $0.tally.rows.rejected > 0 })
    var finding = GateFinding(
      .rejectedShare, items,
      message: heading(items, files: usable.count, of: kind, trips: trips, expected: expected)
        + "\n" + examples.text, fault: "rejected_share \(kind.rawValue)")
    finding.trips = trips
    finding.page = .rejects
    if trips {
      finding.remedy = "Replace the files; if the run stops, none of their records is used."
    }
    return finding
  }

  private func heading(
    _ items: [GateFinding.Item], files: Int, of kind: InputFile.Kind, trips: Bool,
    expected: String
  ) -> String {
    let counts = items.prefix { $0.expected != "at most half" }.map(\.found)
      .joined(separator: " and ")
    let place = "of \(Count.text(files, "new file")) of \(kind.words) cannot be used"
    let mostly = items.filter { $0.expected == "at most half" }.map { OneLine.text($0.subject) }
    guard trips else { return "\(counts) \(place) and are left out:" }
    let half = mostly.isEmpty ? "" : "; in \(mostly.joined(separator: ", ")) more than half"
    return "\(counts) \(place)\(half). gates.rejected_share allows \(expected):"
  }

  /// The counts as text: `25 of 2000 records (1.3 %)`.
  private static func found(_ account: Account, _ noun: String) -> String {
    "\(account.rejected) of \(Count.text(account.total, noun)) "
      + "(\(Share.percent(account.rejected, account.total)))"
  }
}

extension RecordTally {
  /// The number of records, and of rejected ones among them.
  fileprivate var recordAccount: RejectedShareGate.Account {
    RejectedShareGate.Account(total: records, rejected: rejected)
  }

  /// The number of rows in the records, and of rejected ones among them.
  fileprivate var rowAccount: RejectedShareGate.Account {
    RejectedShareGate.Account(total: rows.rows, rejected: rows.rejected)
  }
}
