internal import GRDB
internal import SQLiteFiles

/// The names of products on the dashboard: the product id, with the app if there are several apps.
///
/// Example: `monthly`, and in a warehouse of two apps `monthly (com.example.app)`.
struct ProductNames {
  /// The bundle ids of the apps, the app with the most purchases first.
  ///
  /// Empty unless there are purchases of at least two apps.
  let apps: [String]

  /// Reads the apps of all purchases.
  init(on db: Database) throws {
    let all = try String.fetchAll(
      db,
      sql: """
        SELECT bundle_id FROM fct_revenue WHERE bundle_id IS NOT NULL
        GROUP BY 1 ORDER BY count(1) DESC, 1
        """)
    apps = all.count > 1 ? all : []
  }

  /// The SQL expression of a product's name.
  func sql(_ product: String = "product_id", bundle: String = "bundle_id") -> String {
    apps.isEmpty ? product : "\(product) || COALESCE(' (' || \(bundle) || ')', '')"
  }

  /// Finds the app of each product name.
  ///
  /// - Returns: For each name, the position of its app in ``apps``; -1 if the app is unknown. Empty
  ///   if ``apps`` is empty.
  func places(of names: [String], on db: Database) throws -> [Int64] {
    guard !apps.isEmpty else { return [] }
    var found: [String: Int64] = [:]
    let rows = try StoredRow.fetchAll(
      db, sql: "SELECT DISTINCT \(sql()), bundle_id FROM fct_revenue WHERE bundle_id IS NOT NULL")
    for row in rows {
      let app: String = row[1]
      found[row[0]] = apps.firstIndex(of: app).map { Int64($0) }
    }
    return names.map { found[$0] ?? -1 }
  }
}
