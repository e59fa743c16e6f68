public import Diagnostics
internal import CivilTime
internal import GRDB

/// What runs published and restated: kept in both databases, as no export can bring it back.
///
/// The run that publishes writes its own part to the warehouse, in the transaction of the facts;
/// state.db takes it over after that, or, if the run is killed between, before the next one. A lost
/// warehouse gets it back from state.db, a lost state.db from the warehouse.
public struct PublicationHistory: Hashable, Sendable {
  /// The runs, oldest first.
  public var runs: [PublishedRun] = []
  /// What each of them restated, by run, metric, day, currency and cause.
  public var restatements: [Restatement] = []
  /// What gates found, in runs that published and in others, by run, gate and subject.
  public var gates: [RunGate] = []

  /// No history.
  public init() {}

  /// Reads two tables that have the columns of `audit_run` and `audit_restatement`.
  ///
  /// - Parameters:
  ///   - runs: The one.
  ///   - restatements: The other.
  ///   - condition: Which runs, as an SQL expression over `run_id`.
  ///   - db: The database.
  /// - Throws: What SQLite throws.
  init(runs: String, restatements: String, where condition: String = "1", on db: Database) throws {
    self.runs = try Row.fetchAll(
      db, sql: "SELECT * FROM \(runs) WHERE \(condition) ORDER BY run_id"
    ).map { PublishedRun($0) }
    self.restatements = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM \(restatements) WHERE \(condition)
        ORDER BY run_id, metric, date_day, currency, cause
        """
    ).compactMap { Restatement($0) }
  }

  /// Adds to a warehouse the runs that it does not know.
  func writeMissing(on db: Database) throws {
    let known = Set(try Int64.fetchAll(db, sql: "SELECT run_id FROM audit_run"))
    let missing = runs.filter { !known.contains($0.runID) }
    for run in missing { try run.write(to: "audit_run", on: db) }
    let ids = Set(missing.map(\.runID))
    try restatements.filter { ids.contains($0.runID) }.write(to: "audit_restatement", on: db)
  }
}

extension WarehouseDatabase {
  /// What was published after a run; nothing where there is no warehouse of this schema.
  public func history(after run: Int64 = 0) throws(RunFailure) -> PublicationHistory {
    try readCurrent { db in
      var history = try PublicationHistory(
        runs: "audit_run", restatements: "audit_restatement", where: "run_id > \(run)", on: db)
      history.gates = try [RunGate].read(from: "audit_gate", where: "run_id > \(run)", on: db)
      return history
    } ?? PublicationHistory()
  }

  /// The runs that it knows of; none where there is no warehouse of this schema.
  public func publishedRuns() throws(RunFailure) -> Set<Int64> {
    try readCurrent { db in try Int64.fetchSet(db, sql: "SELECT run_id FROM audit_run") } ?? []
  }

  /// Reads a warehouse of this schema; `nil` where there is none.
  private func readCurrent<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value? {
    guard try exists() else { return nil }
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    defer { try? file.close() }
    guard try !WarehouseUpgrade.isNeeded(by: file) else { return nil }
    return try file.read(body)
  }

  /// What the newest runs restated, newest run first, at most so many runs.
  public func restatements(ofLast limit: Int) throws(RunFailure) -> [Restatement] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM audit_restatement WHERE run_id IN (SELECT DISTINCT run_id
            FROM audit_restatement ORDER BY run_id DESC LIMIT ?)
          ORDER BY run_id DESC, metric, date_day, currency, cause
          """, arguments: [limit]
      ).compactMap { Restatement($0) }
    }
  }
}

extension StateDatabase {
  /// What earlier runs published, as far as state.db knows.
  ///
  /// - Parameter known: Runs that are left out. Years of nights restate a lot, which a warehouse that
  ///   knows it need not be told again.
  /// - Returns: The other runs, and what they restated.
  /// - Throws: ``RunFailure`` when reading fails.
  public func history(without known: Set<Int64> = []) throws(RunFailure) -> PublicationHistory {
    try file.read { db in
      let missing = try Int64.fetchAll(db, sql: "SELECT run_id FROM publication ORDER BY run_id")
        .filter { !known.contains($0) }
      guard !missing.isEmpty else { return PublicationHistory() }
      return try PublicationHistory(
        runs: "publication", restatements: "restatement",
        where: "run_id IN (\(missing.map(String.init).joined(separator: ",")))", on: db)
    }
  }

  /// The newest run known to have published; 0 for none.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func lastPublication() throws(RunFailure) -> Int64 {
    try file.read { db in
      try Int64.fetchOne(db, sql: "SELECT MAX(run_id) FROM publication") ?? 0
    }
  }

  /// The hash of the settings that the newest run known to have published had; `nil` for none.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func lastPublishedSettings() throws(RunFailure) -> String? {
    try file.read { db in
      try String.fetchOne(
        db, sql: "SELECT settings_sha256 FROM publication ORDER BY run_id DESC LIMIT 1")
    }
  }

  /// Takes over what a warehouse knows and state.db does not, and commits.
  ///
  /// Facts of a later generation than that of this file were made of another one, which was lost or
  /// is newer than this copy: the generation goes on behind theirs, so that it is never taken for
  /// the published one. So it does where a run that this file has not begun published the same
  /// generation: another pipeline names the same warehouse.
  ///
  /// - Parameters:
  ///   - history: what the warehouse knows.
  ///   - unpublished: the run at work, which has not published yet: one under its number is foreign.
  /// - Throws: ``RunFailure`` when writing fails.
  public func adopt(_ history: PublicationHistory, unpublished: Int64? = nil) throws(RunFailure) {
    guard !history.runs.isEmpty else { return }
    try file.write(.publicationsKept) { db in
      for run in history.runs { try run.write(to: "publication", on: db) }
      try history.restatements.write(to: "restatement", on: db)
      try history.gates.write(to: "gate", on: db)
      let begun = Set(
        try Row.fetchAll(db, sql: "SELECT run_id, started_at FROM run")
          .map { [$0["run_id"] as Int64, ($0["started_at"] as Int64) / 1000] })
      let published = history.runs.map(\.stateGeneration).max() ?? 0
      let least = history.runs.map { run in
        // The warehouse keeps whole seconds.
        let isOwn =
          run.runID != unpublished
          && begun.contains([run.runID, run.startedAt.milliseconds / 1000])
        return run.stateGeneration + (isOwn ? 0 : 1)
      }
      try db.execute(
        sql: "UPDATE generation SET generation = ?1 + 1 WHERE generation < ?2",
        arguments: [published, least.max() ?? 0])
    }
  }
}

// MARK: - Rows

extension [Restatement] {
  /// Adds rows to a table with the columns of `audit_restatement`.
  func write(to table: String, on db: Database) throws {
    let insert = try RawStatement(
      table, "INSERT OR REPLACE INTO \(table) VALUES (?,?,?,?,?,?,?,?)", on: db)
    for restatement in self {
      insert.bind(restatement.runID, at: 1)
      insert.bind(restatement.metric.rawValue, at: 2)
      insert.bind(restatement.day.text, at: 3)
      insert.bind(restatement.currency, at: 4)
      insert.bind(restatement.cause.rawValue, at: 5)
      insert.bind(restatement.old, at: 6)
      insert.bind(restatement.new, at: 7)
      insert.bind(restatement.rows, at: 8)
      try insert.run()
    }
  }
}

extension Restatement {
  /// Reads a row; `nil` for one in words this version does not know.
  fileprivate init?(_ row: Row) {
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
  init(_ row: Row) {
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
  func write(to table: String, on db: Database) throws {
    let statement = try RawStatement(
      table, "INSERT OR REPLACE INTO \(table) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      on: db)
    statement.bind(runID, at: 1)
    statement.bind(kind.rawValue, at: 2)
    statement.bind(asOf.text, at: 3)
    statement.bind(startedAt.text, at: 4)
    statement.bind(finishedAt.text, at: 5)
    statement.bind(completeThrough?.text, at: 6)
    statement.bind(programVersion, at: 7)
    statement.bind(rulesVersion, at: 8)
    statement.bind(Int64(files), at: 9)
    statement.bind(Int64(records), at: 10)
    statement.bind(Int64(rejected), at: 11)
    statement.bind(coverage.map { Int64($0) }, at: 12)
    statement.bind(exact.map { Int64($0) }, at: 13)
    statement.bind(contentDigest, at: 14)
    statement.bind(stateGeneration, at: 15)
    statement.bind(settingsSHA256, at: 16)
    statement.bind(catalogueSHA256, at: 17)
    statement.bind(ratesSHA256, at: 18)
    statement.bind(reportingCurrency, at: 19)
    try statement.run()
  }
}
