internal import Synchronization

/// A point at which work becomes durable: a database commits, or a finished file gets its name.
///
/// A process may die or fail right before each of them and right after. Debug builds may set an
/// observer, so that tests can try all of them; elsewhere ``pass(_:in:)`` does nothing. Every write
/// names its boundary, so that a new one cannot be forgotten.
public enum CommitBoundary: String, CaseIterable, Sendable {
  /// An empty database gets its schema, or one of an older version the steps to the newest.
  case schemaWritten = "schema_written"
  /// A run is entered into the ledger.
  case runBegun = "run_begun"
  /// The ledger notes how a run ended.
  case runEnded = "run_ended"
  /// The content of new files is stored.
  case filesStored = "files_stored"
  /// Held files are taken into the facts.
  case filesAdmitted = "files_admitted"
  /// Held or refused files whose place another content has taken, or that are back, are marked.
  case filesSuperseded = "files_superseded"
  /// The findings of the gates in a run are kept.
  case gatesJudged = "gates_judged"
  /// The current faults are kept.
  case faultsKept = "faults_kept"
  /// The content of files is removed again.
  case filesForgotten = "files_forgotten"
  /// Pseudonyms take the place of customers.
  case customersErased = "customers_erased"
  /// state.db adopts a list of erased customers and forgotten files.
  case removalsAdopted = "removals_adopted"
  /// state.db adopts publications from the warehouse.
  case publicationsKept = "publications_kept"
  /// A publication's rows for the next run are kept.
  case handedOn = "handed_on"
  /// A value is kept for later runs.
  case settingKept = "setting_kept"
  /// A database is written again without its freed pages.
  case pagesRewritten = "pages_rewritten"
  /// The facts of a run are written to a warehouse, or to one in the making.
  case factsWritten = "facts_written"
  /// A raw receipt gets its standing.
  case receiptNoted = "receipt_noted"
  /// An answer about a raw receipt is stored.
  case answerStored = "answer_stored"
  /// An export of answers is about to be written.
  case exportBegun = "export_begun"
  /// An export of answers is in its place.
  case exportEnded = "export_ended"
  /// A finished file gets its name.
  case fileNamed = "file_named"

  /// On which side of the boundary a process is.
  public enum Side: String, CaseIterable, Sendable {
    /// Nothing has become lasting yet.
    case before
    /// It has.
    case after
  }

  /// The action at a boundary: it may end the process, or throw as a failing disk would.
  public typealias Observer =
    @Sendable (_ name: String) throws(RunFailure) -> Void

  private static let observer = Mutex<Observer?>(nil)

  /// Sets the action at every boundary; `nil` for none.
  public static func observe(_ body: Observer?) {
    observer.withLock { $0 = body }
  }

  /// Passes one side of the boundary.
  ///
  /// - Parameters:
  ///   - side: before or after.
  ///   - file: the kind of database, or the kind of file.
  /// - Throws: the error of the observer.
  public func pass(_ side: Side, in file: String) throws(RunFailure) {
    guard let body = Self.observer.withLock({ $0 }) else { return }
    try body("\(file).\(rawValue).\(side.rawValue)")
  }
}
