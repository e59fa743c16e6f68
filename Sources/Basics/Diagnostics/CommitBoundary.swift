internal import Synchronization

/// A point at which work becomes durable: a database commits, or a finished file gets its name.
///
/// A process may be killed or fail right before or right after each boundary. In debug builds tests
/// set an observer and try every boundary; in other builds ``pass(_:in:)`` does nothing. The
/// functions that commit a transaction require a boundary, so that none is forgotten.
public enum CommitBoundary: String, CaseIterable, Sendable {
  /// An empty database receives its schema, or an older database migrates to the newest version.
  case schemaWritten = "schema_written"
  /// The start of a run is recorded in state.db.
  case runBegun = "run_begun"
  /// The result of a run is recorded in state.db.
  case runEnded = "run_ended"
  /// The content of new files is stored.
  case filesStored = "files_stored"
  /// Held files become part of the facts.
  case filesAdmitted = "files_admitted"
  /// Files are marked as superseded, or are no longer superseded because their content was found
  /// again.
  case filesSuperseded = "files_superseded"
  /// The findings of a run's gates are stored.
  case gatesChecked = "gates_checked"
  /// The standing faults of a stage are stored.
  case faultsKept = "faults_kept"
  /// The content of forgotten files is removed.
  case filesForgotten = "files_forgotten"
  /// Pseudonyms replace the ids of erased customers.
  case customersErased = "customers_erased"
  /// The list of erased customers and forgotten files is copied from its file to state.db.
  case removalsAdopted = "removals_adopted"
  /// The list of publications is copied from the warehouse to state.db.
  case publicationsKept = "publications_kept"
  /// The rows that the next run needs are stored or deleted.
  case nextRunRowsStored = "next_run_rows"
  /// A setting is stored for later runs.
  case settingKept = "setting_kept"
  /// A database is rewritten without its freed pages.
  case pagesRewritten = "pages_rewritten"
  /// The facts of a run are written to the warehouse, or to a new file that will replace it.
  case factsWritten = "facts_written"
  /// The states of questions to Apple are stored.
  case questionsNoted = "questions_noted"
  /// Apple's response is stored.
  case answerStored = "answer_stored"
  /// An export of responses is about to be written.
  case exportBegun = "export_begun"
  /// An export of responses is recorded as complete, and its stored responses are deleted.
  case exportEnded = "export_ended"
  /// A finished file receives its final name.
  case fileNamed = "file_named"

  /// The side of the boundary that the process has reached.
  public enum Side: String, CaseIterable, Sendable {
    /// The work is not durable yet.
    case before
    /// The work is durable.
    case after
  }

  /// An action that tests run at each boundary.
  ///
  /// It may end the process, or throw an error that simulates a failing disk.
  public typealias Observer =
    @Sendable (_ name: String) throws(RunFailure) -> Void

  private static let observer = Mutex<Observer?>(nil)

  /// Sets the action for every boundary; `nil` removes it.
  public static func observe(_ body: Observer?) {
    observer.withLock { $0 = body }
  }

  /// Runs the observer for one side of the boundary.
  ///
  /// - Parameters:
  ///   - file: The kind of database or file, such as "warehouse".
  public func pass(_ side: Side, in file: String) throws(RunFailure) {
    guard let body = Self.observer.withLock({ $0 }) else { return }
    try body("\(file).\(rawValue).\(side.rawValue)")
  }
}
