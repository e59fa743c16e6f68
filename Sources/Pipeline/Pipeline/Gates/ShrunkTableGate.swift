internal import Diagnostics

/// The gate `shrunk_table`: the new content of a whole table has far fewer records than the content
/// that it replaces.
///
/// Example: a nightly dump (`replaces: true`) of 577 rows is cut after 29 rows. Without the gate,
/// the purchases of 548 rows would disappear from the facts.
///
/// Tables of fewer than ``fewest`` records are not checked. Neither is the first content of a path,
/// because it replaces nothing.
struct ShrunkTableGate: Hashable {
  /// A table with content that is not used yet.
  struct Table: Hashable {
    var path: String
    var identity: InputIdentity
    /// The number of records in the new content.
    var records: Int
    /// The number of records in the content that it replaces.
    var before: Int
  }

  /// The smallest accepted ratio of the records to those before, in millionths.
  let perMillion: Int
  /// The smallest number of records before that is checked.
  static let fewest = 20

  /// Returns the tables whose new content has too few records.
  func shrunk(_ tables: [Table]) -> [Table] {
    tables.filter { $0.before >= Self.fewest && $0.records * 1_000_000 < perMillion * $0.before }
  }

  /// Creates one finding for each table.
  func findings(_ tables: [Table]) -> [GateFinding] {
    let share = Share.percent(perMillion, 1_000_000)
    return tables.map { table in
      var finding = GateFinding(
        .shrunkTable,
        [
          GateFinding.Item(
            subject: table.path,
            found: "\(Count.text(table.records, "record")), \(table.before) before",
            expected: "at least \(share) of those before")
        ],
        message: "\(OneLine.text(table.path)) has \(Count.text(table.records, "record")), but the "
          + "content that it replaces has \(table.before): less than \(share) "
          + "(gates.shrunk_table).")
      finding.remedy =
        "Write the whole table again; if the run stops, the earlier content stays in use."
      finding.page = .gates
      return finding
    }
  }
}
