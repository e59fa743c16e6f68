internal import CivilTime

/// Through which day the figures are complete, in words.
struct Completeness {
  private let completeThrough: String?

  init(_ run: RunFigures) { completeThrough = run.completeThrough }

  /// A sentence for the head of the page.
  var sentence: String {
    guard let completeThrough else {
      return "The exports do not tell through which day they are complete, so every figure may "
        + "still grow."
    }
    return "The exports are complete through \(completeThrough); figures of later days may still "
      + "grow."
  }

  /// The first day that can still grow; empty where no day is known to be complete.
  var firstOpenDay: String {
    guard let day = completeThrough.flatMap({ CivilDay(text: $0) }) else { return "" }
    return day.advanced(by: 1).text
  }
}
