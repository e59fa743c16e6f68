internal import SharedTables
internal import StateStore
internal import Diagnostics
internal import PurchaseModel

/// The gate `rejected_share`: files with too many unusable records or rows.
///
/// It checks the files that a run reads first, those of one kind together, and by itself a file of
/// which more than half is rejected. It trips above a share **and** a number, so that one broken
/// line in an incremental run of forty records does not stop the run. Fewer rejects are still a
/// warning: nothing unusable is skipped in silence.
///
/// Example: 25 of 2,000 records, 1.25 %, trip at `{share: 0.01, at_least: 20}`; 2 of 40 do not.
struct RejectedShareGate: Hashable {
  /// The greatest share that passes, in millionths.
  let perMillion: Int
  /// Fewer than this pass.
  let atLeast: Int

  /// The gate of a pipeline.
  init(_ rules: GateRules) {
    perMillion = rules.rejectedPerMillion
    atLeast = rules.fewestRejected
  }

  /// Records or rows of which some cannot be used.
  struct Account: Hashable {
    var total: Int
    var rejected: Int
  }

  /// Whether an account has too many rejects for files of one kind.
  func stops(_ account: Account) -> Bool {
    account.rejected >= atLeast && account.rejected * 1_000_000 > perMillion * account.total
  }

  /// Whether more than half of a file cannot be used.
  static func isMostlyRejected(_ account: Account) -> Bool { account.rejected * 2 > account.total }

  /// Whether files that are read together, all of one kind, trip the gate.
  ///
  /// A file without any usable record is another gate's.
  func trips(_ files: [RecordTally]) -> Bool {
    let tallies = files.filter { !$0.isBarren }
    var sum = RecordTally()
    for tally in tallies { sum.add(tally) }
    return stops(sum.recordAccount) || stops(sum.rowAccount)
      || tallies.contains {
        Self.isMostlyRejected($0.recordAccount) || Self.isMostlyRejected($0.rowAccount)
      }
  }

  /// The finding for files of one kind that are read together; `nil` if all of it can be used.
  func finding(
    _ files: [StoredFile], of kind: InputFile.Kind, rejects: RejectExamples.Source
  ) throws(RunFailure) -> GateFinding? {
    let usable = files.filter { !$0.tally.isBarren }
    var sum = RecordTally()
    for file in usable { sum.add(file.tally) }
    guard sum.rejected + sum.rows.rejected > 0 else { return nil }
    let expected = "at most \(percent(perMillion, 1_000_000)), or fewer than \(atLeast)"
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
    let trips = trips(usable.map(\.tally))
    let examples = try rejects(
      usable.filter { $0.tally.rejected + $0.tally.rows.rejected > 0 })
    var finding = GateFinding(
      .rejectedShare, items,
      message: heading(items, files: usable.count, of: kind, trips: trips, expected: expected)
        + "\n" + examples.text, fault: "rejected_share \(kind.rawValue)")
    finding.trips = trips
    finding.page = .rejects
    if trips {
      finding.remedy = "Replace the files: until then their records stay out of the facts."
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
    guard trips else { return "\(counts) \(place), and are not used:" }
    let half = mostly.isEmpty ? "" : "; more than half of \(mostly.joined(separator: ", "))"
    return "\(counts) \(place)\(half). gates.rejected_share allows \(expected):"
  }

  /// `25 of 2000 records (1.3 %)`.
  private static func found(_ account: Account, _ noun: String) -> String {
    "\(account.rejected) of \(Count.text(account.total, noun)) "
      + "(\(Share.percent(Int64(account.rejected), Int64(account.total))))"
  }

  private func percent(_ part: Int, _ whole: Int) -> String {
    Share.percent(Int64(part), Int64(whole))
  }
}

extension RecordTally {
  /// The records, for a share.
  fileprivate var recordAccount: RejectedShareGate.Account {
    RejectedShareGate.Account(total: records, rejected: rejected)
  }

  /// The rows inside them.
  fileprivate var rowAccount: RejectedShareGate.Account {
    RejectedShareGate.Account(total: rows.rows, rejected: rows.rejected)
  }
}
