internal import Diagnostics
internal import Warehouse

/// The day through which the figures are complete, stated at the top of the page, and the
/// subscriptions that nobody has seen.
struct Completeness {
  private let completeThrough: String?
  private let notSeen: Int64
  private let running: Int64

  init(_ run: RunFigures) {
    (completeThrough, notSeen, running) = (run.completeThrough, run.notSeen, run.running)
  }

  /// Sentences that state through which day the exports are complete, or that it is unknown, and
  /// what is not seen.
  var sentence: String { [exports, ends].compactMap(\.self).joined(separator: " ") }

  private var ends: String? {
    guard 100 * notSeen > notSeen + running else { return nil }
    return "Nobody has asked Apple about \(Count.text(notSeen, "subscription")) since they ended; "
      + "\(running) are known to run. Whether they were renewed is not known, so months in which "
      + "they are more than 1 % are not complete: recurring revenue and active subscriptions may be "
      + "higher. paidline-validate --older-than 7d or paidline-fetch history --older-than 7d asks "
      + "Apple."
  }

  private var exports: String {
    guard let completeThrough else {
      return "The exports do not show through which day they are complete, so every figure may "
        + "still grow. {date} in a pattern of the pipeline's inputs shows it, or "
        + "complete_through: received_at in an entry."
    }
    return "The exports are complete through \(completeThrough); figures of later days may still "
      + "grow."
  }
}
