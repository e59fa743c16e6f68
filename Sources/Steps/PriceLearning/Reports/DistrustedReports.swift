internal import CivilTime
internal import PurchaseModel

/// Finds believed reports whose voter sent an unbelieved report within 30 days.
///
/// Example: a device reports 0.01 today, so its report of yesterday is distrusted. A distrusted
/// report does not cause distrust of other reports, and neither does an amount in dollars that is
/// distrusted already.
enum DistrustedReports {
  static let reach = Milliseconds.days(30)

  /// For each placed report, the unbelieved report because of which it is distrusted; else `nil`.
  static func find(_ placed: ComparedReports, verdicts: [Verdict]) -> [ReportPosition?] {
    var unreliable: Set<Voter> = []
    // A contested storefront is no cause: two accounts may use one device, so both reports may be
    // true.
    let judged = placed.indices.filter {
      placed[$0].setAside == nil && verdicts[$0] != .contestedPlace
    }
    func isCause(_ position: Int) -> Bool {
      // An app that reports an old purchase again sends the current price. That is no reason for
      // distrust.
      !verdicts[position].isBelieved && verdicts[position] != .distrusted
        && !placed[position].isCharge
        && !(verdicts[position] == .outvoted && placed[position].isLate)
    }
    for position in judged where isCause(position) { unreliable.insert(placed[position].voter) }
    var distrusted = [ReportPosition?](repeating: nil, count: placed.count)
    guard !unreliable.isEmpty else { return distrusted }
    let suspects = judged.filter { unreliable.contains(placed[$0].voter) }.sorted {
      (placed[$0].voter, placed[$0].time, $0) < (placed[$1].voter, placed[$1].time, $1)
    }
    // The first pass finds the nearest earlier cause for each report, the second the nearest later
    // cause.
    for order in [suspects, suspects.reversed()] {
      var cause: Int?
      for position in order {
        if let known = cause, placed[known].voter != placed[position].voter { cause = nil }
        guard verdicts[position].isBelieved else {
          if isCause(position) { cause = position }
          continue
        }
        guard let known = cause, distrusted[position] == nil,
          placed[known].time.since(placed[position].time).magnitude <= reach
        else { continue }
        distrusted[position] = ReportPosition(known)
      }
    }
    return distrusted
  }
}
