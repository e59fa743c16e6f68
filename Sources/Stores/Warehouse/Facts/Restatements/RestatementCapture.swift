internal import SQLiteFiles
internal import SharedTables
internal import CivilTime
internal import GRDB
internal import PaidAmounts
internal import PurchaseModel

/// Compares a run's new facts with the published facts, for `audit_restatement` and `audit_change`.
///
/// A second connection reads the old facts while the run's transaction is open. So only changed
/// rows are read, and old rows need not be copied before they are replaced.
///
/// **Published days** are the days that were complete in the previous run: all days up to its
/// `complete_through_date`; without dated exports, all days before its as-of day.
struct RestatementCapture {
  private let earlier: Database
  private let through: CivilDay
  private let difference: RunDifference
  private let knownFiles: Set<String>

  /// Reads the previous publication; `nil` if there is none.
  init?(_ content: WarehouseContent, earlier: Database) throws {
    let last = try StoredRow.fetchOne(
      earlier, sql: "SELECT * FROM audit_run ORDER BY run_id DESC LIMIT 1")
    guard let last, let through = Self.publishedThrough(last) else { return nil }
    self.earlier = earlier
    self.through = through
    let known = Set(
      try String.fetchAll(
        earlier, sql: "SELECT kind || sha256 FROM audit_file WHERE status = 'used'"))
    knownFiles = known
    let used = content.files.filter { $0.status == .used }.map { $0.kind.rawValue + $0.sha256 }
    difference = RunDifference(from: last, to: content.run, hasOtherInputs: known != Set(used))
  }

  /// Records what a run changed, before the run's transaction is committed.
  static func write(
    _ content: WarehouseContent, _ report: inout PublishReport, path: String, on db: Database
  ) throws {
    let run = content.run.runID
    let earlier = try DatabaseFile(
      path: path, format: WarehouseSchema.format, access: .readOnly)
    try earlier.read { earlier in
      guard let capture = try RestatementCapture(content, earlier: earlier) else { return }
      let changes = try capture.changes(ofRun: run, hasRemoved: report.removed > 0, on: db)
      report.restatements = capture.restatements(changes, ofRun: run)
      report.changedAmounts = changes.count { $0.isAmountOther }
      try changes.lazy.compactMap { $0.amountChange(inRun: run) }.write(to: "audit_change", on: db)
    }
    try earlier.close()
    try report.restatements.write(to: "audit_restatement", on: db)
    try AmountChange.limit("audit_change", on: db)
  }

  /// The last day that the previous run published as complete.
  private static func publishedThrough(_ run: StoredRow) -> CivilDay? {
    if let day = (run["complete_through_date"] as String?).flatMap({ CivilDay(text: $0) }) {
      return day
    }
    return CivilDay(text: String((run["as_of"] as String).prefix(10)))?.advanced(by: -1)
  }

  /// Determines the rows that changed with their causes, after all new rows are written.
  private func changes(ofRun run: Int64, hasRemoved: Bool, on db: Database) throws -> [ChangedRow] {
    var changes = try changedRows(run, on: db)
    if hasRemoved { changes += try removedRows(on: db) }
    var positions: [Int64: Int] = [:]
    for (index, change) in changes.enumerated() { positions[change.key] = index }
    for index in changes.indices where changes[index].isOther {
      let decisive = Self.decisive(changes[index], changes, positions)
      changes[index].cause = RestatementCause.ofChange(
        from: decisive.old, to: decisive.new, evidence: decisive.evidence, difference: difference)
    }
    return changes
  }

  /// The restatements of the changed rows, sorted.
  private func restatements(_ changes: [ChangedRow], ofRun run: Int64) -> [Restatement] {
    var tally = RestatementTally(through: through)
    for change in changes where change.old != change.new {
      tally.add(from: change.old, to: change.new, cause: change.cause)
    }
    return tally.restatements(ofRun: run)
  }

  /// Returns the changed row that explains the change of another row.
  ///
  /// The amount of a row may be derived from an earlier row of the chain (``ChangedRow/basis``). If
  /// the earlier amount changed too, its change explains the change of the later amount. The search
  /// then continues from the earlier row. It ends at a new row, or at a row without a changed
  /// earlier amount; this may be `change` itself.
  ///
  /// Example: a signed price changes the amount of March, from which the amounts of April and May
  /// are derived → for April and May, the change of March.
  private static func decisive(
    _ change: ChangedRow, _ changes: [ChangedRow], _ positions: [Int64: Int]
  ) -> ChangedRow {
    var change = change
    var steps = 0
    // The row from which an amount is derived is earlier in the chain, so the loop ends. The limit
    // protects against damaged rows.
    while change.old != nil, let basis = change.basis, let position = positions[basis],
      changes[position].old?.paid != changes[position].new?.paid, steps < changes.count
    {
      change = changes[position]
      steps += 1
    }
    return change
  }
}

/// A row of `fct_revenue` before and after the run.
private struct ChangedRow {
  var key: Int64
  var old: RestatedRow?
  var new: RestatedRow?
  var evidence: RestatedEvidence?
  /// The key of the row from which the new amount was derived; `nil` if there is none.
  var basis: Int64?
  /// The amounts before and after; `nil` where there is no row.
  var oldAmount: PublishedAmount?
  var newAmount: PublishedAmount?
  var cause = RestatementCause.maturity

  /// Whether a published amount is another now.
  var isAmountOther: Bool {
    oldAmount.map { old in newAmount.map { old.isOther(than: $0) } ?? true } ?? false
  }

  var isOther: Bool { old != new || isAmountOther }

  /// The row of `audit_change`; `nil` for a new row, and if no amount changed.
  func amountChange(inRun run: Int64) -> AmountChange? {
    guard isAmountOther, let oldAmount else { return nil }
    return AmountChange(
      runID: run, purchaseKey: key, old: oldAmount, new: newAmount, cause: cause)
  }
}

// MARK: - Reading

extension RestatementCapture {
  /// The SQL expressions of the values that restatements and changes compare.
  private static let columns = """
    purchased_date, COALESCE(currency, ''), paid_milli,
    reversal_kind = 'refund' OR refunded_milli IS NOT NULL,
    COALESCE(refunded_milli, CASE WHEN reversal_kind = 'refund' THEN paid_milli END, 0),
    price_status = 'conflict', quantity, price_rule, price_status
    """

  private static func row(_ statement: RawStatement) -> RestatedRow {
    RestatedRow(
      day: statement.text(0), currency: statement.text(1), paid: statement.optionalInt64(2),
      isRefunded: statement.int64(3) != 0, refunded: statement.int64(4),
      isConflict: statement.int64(5) != 0, quantity: statement.int64(6))
  }

  private static func amount(_ statement: RawStatement) -> PublishedAmount {
    let currency = statement.text(1)
    return PublishedAmount(
      paid: statement.optionalInt64(2), currency: currency.isEmpty ? nil : currency,
      rule: statement.text(7), status: statement.text(8))
  }

  /// The rows that this run added or changed.
  private func changedRows(_ run: Int64, on db: Database) throws -> [ChangedRow] {
    let rows = try RawStatement(
      "changed rows",
      """
      SELECT \(Self.columns), purchase_key, basis_purchase_key, evidence_id, source_file_id
      FROM fct_revenue WHERE changed_run_id = ?1
        AND purchase_key IN (SELECT number FROM temp.touched_fct_revenue)
      ORDER BY purchase_key
      """, on: db)
    rows.bind(run, at: 1)
    let old = try EarlierRow(earlier)
    let files = try newFiles(on: db)
    var changes: [ChangedRow] = []
    while try rows.next() {
      let key = rows.int64(9)
      let report = rows.optionalInt64(11)
      let published = try old.row(key)
      changes.append(
        ChangedRow(
          key: key, old: published?.row, new: Self.row(rows),
          evidence: RestatedEvidence(
            rule: PriceRule(rawValue: rows.text(7)) ?? .unresolved,
            isReportNew: try report.map { try !old.hasReport($0) } ?? false,
            isObservationNew: files.contains(rows.int64(12))),
          basis: rows.optionalInt64(10), oldAmount: published?.amount,
          newAmount: Self.amount(rows)))
    }
    return changes
  }

  private func removedRows(on db: Database) throws -> [ChangedRow] {
    let old = try RawStatement(
      "earlier rows",
      "SELECT \(Self.columns), purchase_key FROM fct_revenue ORDER BY purchase_key",
      on: earlier)
    let new = try RawStatement("row by key", "SELECT 1 FROM fct_revenue WHERE rowid = ?1", on: db)
    var changes: [ChangedRow] = []
    while try old.next() {
      let key = old.int64(9)
      new.bind(key, at: 1)
      let exists = try new.next()
      new.reset()
      if !exists {
        changes.append(ChangedRow(key: key, old: Self.row(old), oldAmount: Self.amount(old)))
      }
    }
    return changes
  }

  /// The ids of the files that are in use now, but were not in use in the previous run.
  private func newFiles(on db: Database) throws -> Set<Int64> {
    let files = try RawStatement(
      "files", "SELECT source_file_id, kind || sha256 FROM audit_file WHERE status = 'used'",
      on: db)
    var new: Set<Int64> = []
    while try files.next() {
      if !knownFiles.contains(files.text(1)) { new.insert(files.int64(0)) }
    }
    return new
  }

  /// Reads rows of the previous publication by key, and checks whether it has a price report.
  private struct EarlierRow {
    private let rows: RawStatement
    private let reports: RawStatement

    init(_ db: Database) throws {
      rows = try RawStatement(
        "earlier row",
        "SELECT \(RestatementCapture.columns) FROM fct_revenue WHERE rowid = ?1", on: db)
      reports = try RawStatement(
        "earlier report", "SELECT 1 FROM price_evidence WHERE rowid = ?1", on: db)
    }

    func row(_ key: Int64) throws -> (row: RestatedRow, amount: PublishedAmount)? {
      rows.bind(key, at: 1)
      defer { rows.reset() }
      return try rows.next()
        ? (RestatementCapture.row(rows), RestatementCapture.amount(rows)) : nil
    }

    func hasReport(_ id: Int64) throws -> Bool {
      reports.bind(id, at: 1)
      defer { reports.reset() }
      return try reports.next()
    }
  }
}

extension RunDifference {
  /// Compares a run with the previous run, given as its row of `audit_run`.
  fileprivate init(from last: StoredRow, to run: PublishedRun, hasOtherInputs: Bool) {
    func differs(_ column: String, _ value: String?) -> Bool {
      (last[column] as String?) != value
    }
    self.hasOtherInputs = hasOtherInputs
    hasOtherRules =
      differs("rules_version", run.rulesVersion) || differs("program_version", run.programVersion)
    hasOtherCatalogue = differs("catalogue_sha256", run.catalogueSHA256)
    hasOtherRates = differs("rates_sha256", run.ratesSHA256)
    hasOtherSettings =
      differs("settings_sha256", run.settingsSHA256) && !hasOtherCatalogue && !hasOtherRates
  }
}
