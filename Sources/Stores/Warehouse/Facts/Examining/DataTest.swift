/// The severity of a failed data test.
public enum TestSeverity: String, Hashable, Sendable, CaseIterable {
  /// The failure is reported, but the run publishes.
  case warn
  /// The run does not publish.
  case error
}

/// A query on the facts that must not return a row; each query is a file in `DataTests`.
///
/// In the query, a plain table name means only the examined rows; the prefix `main.` means all
/// rows. So one query works for all rows and for the rows that a run changes
/// (``ExaminationScope``). A rule that a CHECK constraint can express has no data test.
public struct DataTest: Hashable, Sendable {
  /// The name of the test, such as `relationships_product`.
  public var name: String
  /// The severity of a failure.
  public var severity: TestSeverity
  /// The columns of the returned rows: the key of the rows that break the test.
  public var columns: [String]
  /// The meaning of a returned row, for an analyst.
  public var meaning: String
  /// Whether the content of a row, without other rows, decides if the row fails.
  ///
  /// A run then examines only the changed rows.
  public var isCounted: Bool
  /// The query for the rows that break the test.
  public var sql: String
  /// The condition under which a row `r` of `fct_revenue` breaks the test.
  ///
  /// `nil` for a test of another table, or of several rows together. One pass over `fct_revenue`
  /// evaluates the conditions of all tests.
  var rowCondition: String?
  /// The `LEFT JOIN` lines for the other tables that ``rowCondition`` reads.
  ///
  /// Each line joins at most one row to a row of `fct_revenue`.
  var rowJoins: [String] = []

  /// Whether the test reads only facts, and none of the tables `audit_…`.
  var readsOnlyFacts: Bool { !sql.contains("audit_") }

  /// All tests, sorted by name.
  public static let all: [DataTest] = [
    PackageResources.amount_exact_is_believed_sql,
    PackageResources.conflicting_sightings_sql,
    PackageResources.ledger_charge_missing_sql,
    PackageResources.ledger_entry_agrees_with_purchase_sql,
    PackageResources.ledger_refund_missing_sql,
    PackageResources.line_item_in_two_chains_sql,
    PackageResources.relationships_bridge_purchase_sql,
    PackageResources.relationships_conversion_purchase_sql,
    PackageResources.relationships_excluded_purchase_sql,
    PackageResources.relationships_foreign_keys_sql,
    PackageResources.relationships_product_sql,
    PackageResources.relationships_source_file_sql,
    PackageResources.signed_price_far_from_list_sql,
    PackageResources.unconverted_amounts_sql,
    PackageResources.unestimated_proceeds_sql,
    PackageResources.unique_conversion_offer_number_sql,
    PackageResources.unresolved_amounts_sql,
  ].map { DataTest(file: String(decoding: $0, as: UTF8.self)) }

  /// Reads the file of a test: a header of four lines (five for counted tests), then the query.
  ///
  /// ```sql
  /// -- name: relationships_product
  /// -- severity: error
  /// -- columns: purchase_key
  /// -- means: A purchase is of a product that dim_product does not know.
  /// -- counted: by row
  /// SELECT …
  /// ```
  ///
  /// - Precondition: The header is complete; a unit test checks this for every file.
  init(file: String) {
    let lines = file.split(separator: "\n")
    func header(_ line: Int, _ key: String) -> String {
      let start = "-- \(key): "
      precondition(lines.count > 4 && lines[line].hasPrefix(start), "a data test lacks its \(key)")
      return String(lines[line].dropFirst(start.count))
    }
    name = header(0, "name")
    guard let severity = TestSeverity(rawValue: header(1, "severity")) else {
      preconditionFailure("\(name): the severity is neither warn nor error")
    }
    self.severity = severity
    columns = header(2, "columns").split(separator: ",").map { $0.filter { $0 != " " } }
    meaning = header(3, "means")
    isCounted = lines[4] == "-- counted: by row"
    sql = lines.dropFirst(isCounted ? 5 : 4).joined(separator: "\n")
    let query = sql.split(separator: "\n").map(String.init)
    let joins = query.dropFirst().prefix { $0.hasPrefix("LEFT JOIN main.") }
    let condition = query[joins.endIndex...].joined(separator: "\n")
    guard query[0] == "SELECT r.purchase_key FROM fct_revenue AS r",
      condition.hasPrefix("WHERE ")
    else { return }
    rowJoins = Array(joins)
    rowCondition = String(condition.dropFirst("WHERE ".count))
  }
}

/// The result of a data test.
public struct DataTestResult: Hashable, Sendable {
  /// The test that was run.
  public var test: DataTest
  /// The number of rows that break the test; 0 means that it passed.
  public var failingRows: Int
  /// Whether the failure stops publication.
  public var isFailure: Bool { failingRows > 0 && test.severity == .error }
}
