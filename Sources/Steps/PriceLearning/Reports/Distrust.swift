internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds believed reports whose voter sent one that is not believed within 30 days.
///
/// A phone that reports 0.01 today is not believed about yesterday either. Distrust does not
/// spread: a distrusted report makes no other report distrusted.
enum Distrust {
  static let reach = Milliseconds.days(30)

  /// For each placed report the position of the report that makes it distrusted; `nil` for none.
  static func find(_ placed: ComparedReports, verdicts: [Verdict]) -> [ReportPosition?] {
    var liars: Set<Voter> = []
    // A phone of two accounts is no liar.
    let judged = placed.indices.filter {
      placed[$0].setAside == nil && verdicts[$0] != .contestedPlace
    }
    for position in judged where !verdicts[position].isBelieved {
      liars.insert(placed[position].voter)
    }
    var distrusted = [ReportPosition?](repeating: nil, count: placed.count)
    guard !liars.isEmpty else { return distrusted }
    let suspects = judged.filter { liars.contains(placed[$0].voter) }.sorted {
      (placed[$0].voter, placed[$0].time, $0) < (placed[$1].voter, placed[$1].time, $1)
    }
    // The forward pass finds each report's nearest earlier cause, the backward pass the nearest
    // later.
    for order in [suspects, suspects.reversed()] {
      var cause: Int?
      for position in order {
        if let known = cause, placed[known].voter != placed[position].voter { cause = nil }
        guard verdicts[position].isBelieved else {
          cause = position
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
