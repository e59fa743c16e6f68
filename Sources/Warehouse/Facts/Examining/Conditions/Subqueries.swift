internal import GRDB

/// The value of a subquery.
enum SubqueryValue: Hashable {
  case null
  case number(Int64)
  case text([UInt8])
}

/// The subqueries of conditions: sets are noted, single values asked at once.
///
/// They must not name columns of the row that is asked about.
final class Subqueries {
  private let db: Database
  /// The queries of the sets, in the order of their numbers.
  private(set) var queries: [String] = []

  /// Asks on a database.
  init(_ db: Database) {
    self.db = db
  }

  /// The number of the set of a subquery's values.
  func set(of query: String) -> Int32 {
    if let known = queries.firstIndex(of: query) { return Int32(known) }
    queries.append(query)
    return Int32(queries.count - 1)
  }

  /// The one value of a subquery.
  ///
  /// - Throws: ``UnknownCondition`` for what is no number, no text and not NULL.
  func value(of query: String) throws -> SubqueryValue {
    let value = try DatabaseValue.fetchOne(db, sql: query) ?? .null
    switch value.storage {
    case .null: return .null
    case .int64(let number): return .number(number)
    case .string(let text): return .text(Array(text.utf8))
    case .double, .blob: throw UnknownCondition(what: query)
    }
  }
}
