/// A fault that a test plants in an incremental run: one kind of change is not followed to the
/// households that it affects.
///
/// The test shows that the fault is detected. No fault is planted in a release build.
enum TestFault: String {
  /// New reports do not affect their households.
  case reports
  /// Changed prices do not affect the households with rows at these prices.
  case prices
  /// Changed verdicts do not affect the households of the reports.
  case reportVerdicts = "judgements"
  /// Rows that change only because time passes are not decided again.
  case time

  /// Whether this fault is planted: `PAIDLINE_TEST_FAULT` in a debug build.
  var isInjected: Bool {
    #if DEBUG
      Terminal.variable("PAIDLINE_TEST_FAULT") == rawValue
    #else
      false
    #endif
  }
}
