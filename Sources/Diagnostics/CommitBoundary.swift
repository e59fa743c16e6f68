internal import Synchronization

/// A place where work becomes lasting: a database commits, or a finished file takes its name.
///
/// A process may die or fail right before each of them and right after. So that tests can try all
/// of them, debug builds may set an observer that does; elsewhere ``pass(_:in:)`` does nothing.
/// Whoever writes names the boundary, so that a new one cannot be forgotten.
public enum CommitBoundary: String, CaseIterable, Sendable {
  /// An empty database gets its schema.
  case schemaCreated = "schema_created"
  /// A database of an older version is brought up to date.
  case schemaUpgraded = "schema_upgraded"
  /// A run is entered into the ledger.
  case runBegun = "run_begun"
  /// The ledger notes how a run ended.
  case runEnded = "run_ended"
  /// What new files say is stored.
  case filesStored = "files_stored"
  /// Held files are taken into the facts.
  case filesAdmitted = "files_admitted"
  /// Held or refused files whose place another content has taken, or that are back, are marked.
  case filesSuperseded = "files_superseded"
  /// What the gates found in a run is kept.
  case gatesJudged = "gates_judged"
  /// The faults that stand are kept.
  case faultsKept = "faults_kept"
  /// What files said is taken out again.
  case filesForgotten = "files_forgotten"
  /// Pseudonyms take the place of customers.
  case customersErased = "customers_erased"
  /// state.db takes over a list of erased customers and forgotten files.
  case removalsAdopted = "removals_adopted"
  /// state.db takes over what a warehouse has published.
  case publicationsKept = "publications_kept"
  /// A value is kept for later runs.
  case settingKept = "setting_kept"
  /// A database is written anew without its freed pages.
  case pagesRewritten = "pages_rewritten"
  /// A warehouse in the making has its tables.
  case tablesBuilt = "tables_built"
  /// A warehouse in the making has its last rows.
  case rowsBuilt = "rows_built"
  /// A warehouse in the making has the results of its data tests.
  case testsBuilt = "tests_built"
  /// The facts of an existing warehouse are brought up to date.
  case factsReplaced = "facts_replaced"
  /// A raw receipt gets its standing.
  case receiptNoted = "receipt_noted"
  /// An answer about a raw receipt is stored.
  case answerStored = "answer_stored"
  /// An export of answers is about to be written.
  case exportBegun = "export_begun"
  /// An export of answers is in its place.
  case exportEnded = "export_ended"
  /// A finished file takes its name.
  case fileNamed = "file_named"

  /// On which side of the boundary a process is.
  public enum Side: String, CaseIterable, Sendable {
    /// Nothing has become lasting yet.
    case before
    /// It has.
    case after
  }

  /// What is done at a boundary: it may end the process, or throw as a failing disk would.
  public typealias Observer =
    @Sendable (_ name: String) throws(RunFailure) -> Void

  private static let observer = Mutex<Observer?>(nil)

  /// Sets what is done at every boundary; `nil` for nothing.
  public static func observe(_ body: Observer?) {
    observer.withLock { $0 = body }
  }

  /// Passes one side of the boundary.
  ///
  /// - Parameters:
  ///   - side: before or after.
  ///   - file: what becomes lasting: the kind of database, or the kind of file.
  /// - Throws: what the observer throws.
  public func pass(_ side: Side, in file: String) throws(RunFailure) {
    guard let body = Self.observer.withLock({ $0 }) else { return }
    try body("\(file).\(rawValue).\(side.rawValue)")
  }
}
