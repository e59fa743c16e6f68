package import SQLiteFiles
internal import CivilTime
package import GRDB

/// The runs that have published, with what they changed, and the findings of gates in all runs.
///
/// state.db and the warehouse both contain this history, because no export contains these data. The
/// publishing run writes its own publication to the warehouse, in the transaction of the facts.
/// Then the run copies the publication to state.db; if the run is killed before that, the next run
/// copies the publication. A lost warehouse is restored from state.db, and a lost state.db from the
/// warehouse.
public struct PublicationHistory: Hashable, Sendable {
  /// The runs, oldest first.
  public var runs: [PublishedRun] = []
  /// The restatements of each run, sorted by run, metric, day, currency and cause.
  public var restatements: [Restatement] = []
  /// The changes of published amounts of each run, sorted by run and purchase.
  public var changes: [AmountChange] = []
  /// The findings of gates in all runs, published or not, sorted by run, gate and subject.
  public var gates: [RunGate] = []

  /// Creates an empty history.
  public init() {}

  /// Reads the runs, restatements and changes from three tables; ``gates`` stays empty.
  ///
  /// The tables must have the columns of `audit_run`, `audit_restatement` and `audit_change`.
  package init(
    runs: String, restatements: String, changes: String, where condition: String = "1",
    on db: Database
  ) throws {
    self.runs = try StoredRow.fetchAll(
      db, sql: "SELECT * FROM \(runs) WHERE \(condition) ORDER BY run_id"
    ).map { PublishedRun($0) }
    self.restatements = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT * FROM \(restatements) WHERE \(condition)
        ORDER BY run_id, metric, date_day, currency, cause
        """
    ).compactMap { Restatement($0) }
    self.changes = try StoredRow.fetchAll(
      db,
      sql: "SELECT * FROM \(changes) WHERE \(condition) ORDER BY run_id, purchase_key"
    ).compactMap { AmountChange($0) }
  }

  /// Adds the runs that a warehouse does not have yet, with what they changed; gates are not added.
  package func writeMissing(on db: Database) throws {
    let known = Set(try Int64.fetchAll(db, sql: "SELECT run_id FROM audit_run"))
    let missing = runs.filter { !known.contains($0.runID) }
    for run in missing { try run.write(to: "audit_run", on: db) }
    let ids = Set(missing.map(\.runID))
    try restatements.filter { ids.contains($0.runID) }.write(to: "audit_restatement", on: db)
    try changes.lazy.filter { ids.contains($0.runID) }.write(to: "audit_change", on: db)
  }
}

// MARK: - Rows

extension [Restatement] {
  /// Adds rows to a table with the columns of `audit_restatement`.
  package func write(to table: String, on db: Database) throws {
    let insert = try RawStatement(
      table, "INSERT OR REPLACE INTO \(table) VALUES (?,?,?,?,?,?,?,?)", on: db)
    for restatement in self {
      try insert.run(
        restatement.runID, restatement.metric.rawValue, restatement.day.text,
        restatement.currency, restatement.cause.rawValue, restatement.old, restatement.new,
        restatement.rows)
    }
  }
}

extension Restatement {
  /// Reads a row of a table with the columns of `audit_restatement`.
  ///
  /// `nil` for a metric or cause that only a newer version of the program has.
  package init?(_ row: StoredRow) {
    guard let metric = RestatedMetric(rawValue: row["metric"]),
      let day = CivilDay(text: row["date_day"] as String),
      let cause = RestatementCause(rawValue: row["cause"])
    else { return nil }
    self.init(
      runID: row["run_id"], metric: metric, day: day, currency: row["currency"], cause: cause,
      old: row["old_milli"], new: row["new_milli"], rows: row["rows"])
  }
}

extension PublishedRun {
  /// Reads a row of a table with the columns of `audit_run`.
  package init(_ row: StoredRow) {
    runID = row["run_id"]
    kind = RunKind(rawValue: row["kind"]) ?? .run
    asOf = Instant(text: row["as_of"] as String) ?? .epoch
    startedAt = Instant(text: row["started_at"] as String) ?? .epoch
    finishedAt = Instant(text: row["finished_at"] as String) ?? .epoch
    completeThrough = (row["complete_through_date"] as String?).flatMap { CivilDay(text: $0) }
    programVersion = row["program_version"]
    rulesVersion = row["rules_version"]
    files = row["files"]
    records = row["records"]
    rejected = row["rejected"]
    coverage = row["price_coverage_bp"]
    exact = row["exact_bp"]
    contentDigest = row["content_digest"]
    stateGeneration = row["state_generation"]
    settingsSHA256 = row["settings_sha256"]
    catalogueSHA256 = row["catalogue_sha256"]
    ratesSHA256 = row["rates_sha256"]
    reportingCurrency = row["reporting_currency"]
  }

  /// Writes a row to a table with the columns of `audit_run`.
  package func write(to table: String, on db: Database) throws {
    let statement = try RawStatement(
      table, "INSERT OR REPLACE INTO \(table) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      on: db)
    try statement.run(
      runID, kind.rawValue, asOf.text, startedAt.text, finishedAt.text, completeThrough?.text,
      programVersion, rulesVersion, files, records, rejected, coverage, exact, contentDigest,
      stateGeneration, settingsSHA256, catalogueSHA256, ratesSHA256, reportingCurrency)
  }
}
