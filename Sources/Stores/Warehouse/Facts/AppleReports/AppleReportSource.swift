public import AppleReports
internal import CivilTime
public import Diagnostics
public import Reconciling

/// Provides Apple's reports from state.db.
public struct AppleReportSource: Sendable {
  /// A function that passes every used line of some files to its argument.
  public typealias Lines =
    @Sendable (_ files: Set<Int64>, _ body: (Int64, AppleReportLine) throws -> Void)
    throws(RunFailure) -> Void

  /// The files in use.
  public var files: [AppleReportFile]
  /// The lines to compare with the facts.
  public var appleReports: ReconciledReports
  /// The product of each Apple ID.
  public var numbers: ProductNumbers
  /// The products of the catalogue.
  public var catalogue: Set<String> = []
  /// The key of the keyed hashes of customers; used for subscribers too.
  public var customerKey: [UInt8] = []
  /// Passes every used line of some files to its argument, sorted by file and line.
  public var forEachLine: Lines
  /// Evaluates the gates on the comparison before publication; an error stops the publication.
  ///
  /// The result is recorded in `audit_gate`.
  public var evaluateGates: @Sendable (Reconciliation) throws(RunFailure) -> [GateOutcome]

  /// Creates a source of reports for one publication.
  ///
  /// - Parameters:
  ///   - files: The files in use.
  ///   - appleReports: The lines to compare with the facts.
  ///   - numbers: The product of each Apple ID.
  ///   - forEachLine: Passes every used line of some files to its argument.
  ///   - evaluateGates: Validates the comparison with the facts.
  public init(
    files: [AppleReportFile], appleReports: ReconciledReports, numbers: ProductNumbers,
    forEachLine: @escaping Lines,
    evaluateGates: @escaping @Sendable (Reconciliation) throws(RunFailure) -> [GateOutcome]
  ) {
    self.files = files
    self.appleReports = appleReports
    self.numbers = numbers
    self.forEachLine = forEachLine
    self.evaluateGates = evaluateGates
  }
}
