package import Diagnostics

/// A step of a run as a filter: from rows on standard input to rows on standard output.
package protocol FilterStep {
  /// The name of the command: `merge`.
  static var name: String { get }
  /// What the filter does, for `--help`.
  static var summary: String { get }

  /// Reads the side files that the step needs.
  init(_ context: FilterContext) throws(RunFailure)

  /// Reads all rows and writes the result.
  func run() throws(RunFailure)
}
