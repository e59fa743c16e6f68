internal import Warehouse

/// The day through which the figures are complete, stated at the top of the page.
struct Completeness {
  private let completeThrough: String?

  init(_ run: RunFigures) { completeThrough = run.completeThrough }

  /// A sentence that states through which day the exports are complete, or that it is unknown.
  var sentence: String {
    guard let completeThrough else {
      return "The exports do not show through which day they are complete, so every figure may "
        + "still grow. {date} in a pattern of the pipeline's inputs shows it, or "
        + "complete_through: received_at in an entry."
    }
    return "The exports are complete through \(completeThrough); figures of later days may still "
      + "grow."
  }
}
