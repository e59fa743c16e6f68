package import GRDB

/// The part of the comparison with Apple's reports that is shown: one month or all, one app or all.
package struct ComparedPart: Sendable {
  /// A single month, such as `2021-08`; `nil` for all.
  package let month: String?
  /// The bundle id of a single app; `nil` for all.
  package let app: String?

  /// Creates the part of a month and an app.
  package init(month: String? = nil, app: String? = nil) {
    self.month = month
    self.app = app
  }

  /// SQL: the condition on the columns `month` and `product_id`, with ``arguments``.
  static let condition = """
    (?1 IS NULL OR month = ?1) AND (?2 IS NULL OR product_id IN (
      SELECT product_id FROM dim_product WHERE bundle_id = ?2
      UNION SELECT apple_id FROM dim_product WHERE bundle_id = ?2))
    """

  /// The arguments of ``condition``.
  var arguments: StatementArguments { [month, app] }

  /// Reads the bundle ids of all apps in the facts, in order.
  package static func apps(on db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT DISTINCT bundle_id FROM dim_product WHERE bundle_id <> '' ORDER BY 1")
  }

  /// Reads the products of the app; `nil` if the part has all apps.
  func products(on db: Database) throws -> Set<String>? {
    guard let app else { return nil }
    return try Set(
      String.fetchAll(
        db, sql: "SELECT product_id FROM dim_product WHERE bundle_id = ?", arguments: [app]))
  }
}
