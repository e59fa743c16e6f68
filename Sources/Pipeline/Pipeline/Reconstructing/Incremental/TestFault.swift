/// A path of news that a test cuts, to see that the missing news is noticed; unused in a release.
enum TestFault: String {
  /// From new reports to their households.
  case reports
  /// From changed prices to the households with rows there.
  case prices
  /// From changed verdicts to the households of the reports.
  case reportVerdicts = "judgements"
  /// From moments that pass to the households whose rows they change.
  case time

  /// Whether this way is cut: `PAIDLINE_CUT_NEWS` in a debug build.
  var isCut: Bool {
    #if DEBUG
      Terminal.variable("PAIDLINE_CUT_NEWS") == rawValue
    #else
      false
    #endif
  }
}
