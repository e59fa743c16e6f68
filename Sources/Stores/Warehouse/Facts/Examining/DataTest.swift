internal import Diagnostics

/// How bad a failed data test is.
public enum TestSeverity: String, Hashable, Sendable, CaseIterable {
  /// Shown, and published all the same.
  case warn
  /// Nothing is published.
  case error
}

/// A question about the facts whose answer must be no row at all: a file of `DataTests`.
///
/// Its query names a table alone for the rows that are examined, and `main.` with it for all rows,
/// so that it runs on a whole file and on the rows that a night touched (``ExaminationScope``).
/// What one row can break is said by the CHECKs of the tables, and not again here.
public struct DataTest: Hashable, Sendable {
  /// What must hold, as a name: `relationships_…`, `amount_…`, `ledger_…`.
  public var name: String
  /// How bad it is if it does not.
  public var severity: TestSeverity
  /// The columns of the rows that it returns: the key of what breaks it.
  public var columns: [String]
  /// What a row that it returns would mean to an analyst.
  public var meaning: String
  /// Returns the rows that break it.
  public var sql: String

  /// All tests, by name.
  public static let all: [DataTest] = [
    PackageResources.amount_exact_is_believed_sql,
    PackageResources.conflicting_sightings_sql,
    PackageResources.ledger_charge_missing_sql,
    PackageResources.ledger_entry_agrees_with_purchase_sql,
    PackageResources.ledger_refund_missing_sql,
    PackageResources.line_item_in_two_chains_sql,
    PackageResources.relationships_backtest_purchase_sql,
    PackageResources.relationships_basis_purchase_sql,
    PackageResources.relationships_bridge_purchase_sql,
    PackageResources.relationships_conversion_is_later_sql,
    PackageResources.relationships_evidence_offer_sql,
    PackageResources.relationships_excluded_purchase_sql,
    PackageResources.relationships_foreign_keys_sql,
    PackageResources.relationships_product_sql,
    PackageResources.relationships_source_file_sql,
    PackageResources.relationships_transaction_id_sql,
    PackageResources.unconverted_amounts_sql,
    PackageResources.unestimated_proceeds_sql,
    PackageResources.unique_conversion_offer_number_sql,
    PackageResources.unresolved_amounts_sql,
  ].map { DataTest(file: String(decoding: $0, as: UTF8.self)) }

  /// Reads a test's file: a header of four lines, then the query.
  ///
  /// ```sql
  /// -- name: relationships_product
  /// -- severity: error
  /// -- columns: purchase_key
  /// -- means: A purchase is of a product that dim_product does not know.
  /// SELECT …
  /// ```
  ///
  /// - Precondition: the header is whole; a test looks at every file.
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
    sql = lines.dropFirst(4).joined(separator: "\n")
  }
}

/// What a data test found.
public struct DataTestResult: Hashable, Sendable {
  /// The test.
  public var test: DataTest
  /// How many rows break it; 0 is a pass.
  public var failingRows: Int
  /// Whether nothing may be published.
  public var isFailure: Bool { failingRows > 0 && test.severity == .error }
}
