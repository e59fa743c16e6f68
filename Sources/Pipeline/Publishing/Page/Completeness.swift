internal import Warehouse

/// States through which day the figures are complete.
struct Completeness {
  private let completeThrough: String?

  init(_ run: RunFigures) { completeThrough = run.completeThrough }

  /// A sentence for the top of the page.
  var sentence: String {
    guard let completeThrough else {
      return "The exports do not show through which day they are complete, so every figure may "
        + "still grow."
    }
    return "The exports are complete through \(completeThrough); figures of later days may still "
      + "grow."
  }
}
