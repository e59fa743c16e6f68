public import AppleReports
public import Diagnostics
public import Reconciling

/// The content of Apple's reports in state.db, for one publication.
public struct AppleReportSource: Sendable {
  /// A function that calls `body` with every used line of the given report files.
  ///
  /// `body` receives the id of the line's file, then the line.
  public typealias Lines =
    @Sendable (_ files: Set<Int64>, _ body: (Int64, AppleReportLine) throws -> Void)
    throws(RunFailure) -> Void

  /// The report files in use.
  public var files: [AppleReportFile]
  /// The lines of Apple's reports that are compared with the facts.
  public var appleReports: ReconciledReports
  /// The ids of the products in the catalogue.
  public var catalogue: Set<String> = []
  /// The pipeline's secret key, with which the subscriber ids in Apple's reports are hashed.
  public var customerKey: [UInt8] = []
  /// Calls a function with every used line of some files, sorted by file and line.
  public var forEachLine: Lines
  /// Evaluates the gates on the comparison before publication; an error stops the publication.
  ///
  /// The results are recorded in `audit_gate`.
  public var evaluateGates: @Sendable (Reconciliation) throws(RunFailure) -> [GateOutcome]

  /// Creates a source of reports for one publication.
  ///
  /// - Parameters:
  ///   - evaluateGates: Evaluates the gates on the comparison; an error stops the publication.
  public init(
    files: [AppleReportFile], appleReports: ReconciledReports,
    forEachLine: @escaping Lines,
    evaluateGates: @escaping @Sendable (Reconciliation) throws(RunFailure) -> [GateOutcome]
  ) {
    self.files = files
    self.appleReports = appleReports
    self.forEachLine = forEachLine
    self.evaluateGates = evaluateGates
  }
}
