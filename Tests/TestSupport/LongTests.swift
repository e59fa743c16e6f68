internal import Foundation

/// Tests that take minutes; only `make test-slow` runs them.
public enum LongTests {
  /// Whether `make test-slow` runs the tests.
  public static let areOn = ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"

  /// The seeds of a test: a few by default, many in long runs, or only the seed in `PAIDLINE_SEED`.
  public static func seeds(_ few: Int, long: Int) -> [UInt64] {
    if let one = ProcessInfo.processInfo.environment["PAIDLINE_SEED"].flatMap(UInt64.init) {
      return [one]
    }
    return (1...UInt64(areOn ? long : few)).map(\.self)
  }

  /// All cases of a test in long runs; by default only the first of each `number` cases.
  public static func some<Case>(of cases: [Case], oneIn number: Int) -> [Case] {
    areOn ? cases : stride(from: 0, to: cases.count, by: number).map { cases[$0] }
  }
}
