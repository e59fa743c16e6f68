/// A fault that a test adds to a run: one kind of change has no effect.
///
/// The households that the change affects are not decided again, and the test shows that the
/// program detects this. A release build has no test faults.
enum TestFault: String {
  /// Ignored new reports: their households are not decided again.
  case reports
  /// Ignored price changes: households with rows at these prices are not decided again.
  case prices
  /// Ignored changes of verdicts: the households of the reports are not decided again.
  case reportVerdicts
  /// Ignored changes of cells: households with rows in these cells are not decided again.
  case cells
  /// Ignored passing of time: rows that change without new data are not decided again.
  case time

  /// Whether this fault is active: `PAIDLINE_TEST_FAULT` in a debug build.
  var isInjected: Bool {
    #if DEBUG
      Terminal.variable("PAIDLINE_TEST_FAULT") == rawValue
    #else
      false
    #endif
  }
}
