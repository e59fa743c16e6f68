/// A fault that a test adds to an incremental run: one kind of change has no effect.
///
/// The households that the change affects are not decided again, and the test shows that the
/// program detects this. A release build has no test faults.
enum TestFault: String {
  /// New reports do not affect their households.
  case reports
  /// Changed prices do not affect the households with rows at these prices.
  case prices
  /// Changed verdicts do not affect the households of the reports.
  case reportVerdicts = "judgements"
  /// Changed cells of Apple's reports do not affect the households with rows in them.
  case cells
  /// Rows that change without new data are not decided again.
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
