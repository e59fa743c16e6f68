/// A fault that a test plants: a kind of change that is ignored.
///
/// The test shows that this is detected; unused in a release.
enum TestFault: String {
  /// Changes from new reports to their households are ignored.
  case reports
  /// Changes from prices to the households with rows there are ignored.
  case prices
  /// Changes from verdicts to the households of the reports are ignored.
  case reportVerdicts = "judgements"
  /// Changes of rows by the passage of time are ignored.
  case time

  /// Whether this fault is planted: `PAIDLINE_CUT_NEWS` in a debug build.
  var isCut: Bool {
    #if DEBUG
      Terminal.variable("PAIDLINE_CUT_NEWS") == rawValue
    #else
      false
    #endif
  }
}
