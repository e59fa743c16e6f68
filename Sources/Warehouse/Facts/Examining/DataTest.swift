/// How bad a failed data test is.
public enum TestSeverity: String, Hashable, Sendable, CaseIterable {
  /// Shown, and published all the same.
  case warn
  /// Nothing is published.
  case error
}

/// A question about the facts whose answer must be no row at all.
///
/// The queries use table names alone, so that they run on any database with the tables: on the
/// transaction about to be committed, and on a published file (`paidline check`).
public struct DataTest: Hashable, Sendable {
  /// What must hold, as a name: `unique_…`, `not_null_…`, `accepted_values_…`, `relationships_…`.
  public var name: String
  /// How bad it is if it does not.
  public var severity: TestSeverity
  /// Returns the rows that break it.
  public var sql: String
  /// What makes a row break it, where single rows tell: such tests share one scan of a table.
  var conditions: [RowCondition] = []
  /// Two kinds of rows of which there must be equally many, where that is the question.
  var balance: RowBalance?
  /// What makes a row break it, where the row that it points to has to be looked at too.
  var joined: JoinedCondition?
  /// The same question about the touched rows alone, where it is worth asking less.
  var touchedSQL: String?
}

/// What makes a row of a table break a test.
struct RowCondition: Hashable, Sendable {
  /// The table.
  var table: String
  /// An expression over its columns.
  var sql: String
}

/// What makes a row break a test together with the row that it points to, or without one.
struct JoinedCondition: Hashable, Sendable {
  /// The table, and the name for its columns.
  var table: String
  var alias: String
  /// The table that its rows point to by the number that is its key, and the name for its columns.
  var parent: String
  var parentAlias: String
  /// The column that points, and the key that it points to.
  var column: String
  var parentKey: String
  /// An expression over the columns of both, of which the parent's are NULL where there is none.
  var sql: String

  /// What stands after the table and its alias in a query for the rows.
  var join: String {
    """
    LEFT JOIN \(parent) AS \(parentAlias) ON \(parentAlias).\(parentKey) = \(alias).\(column)
    WHERE \(sql)
    """
  }
}

/// Two kinds of rows of which there must be equally many.
struct RowBalance: Hashable, Sendable {
  /// The rows of the one kind.
  var one: RowCondition
  /// The rows of the other.
  var other: RowCondition

  /// A query that returns both numbers where they differ.
  var sql: String {
    """
    SELECT one, other FROM
      (SELECT count(1) AS one FROM \(one.table) WHERE \(one.sql)),
      (SELECT count(1) AS other FROM \(other.table) WHERE \(other.sql))
    WHERE one <> other
    """
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
