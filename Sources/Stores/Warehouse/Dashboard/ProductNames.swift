internal import GRDB
internal import SQLiteFiles

/// The names of products on the dashboard: the catalogue's name, else the product id.
///
/// With several apps, the app follows: `monthly (com.example.app)`. If two products have one name,
/// the product id follows it: `Pro (pro.monthly)`.
struct ProductNames {
  /// The bundle ids of the apps, the app with the most purchases first.
  ///
  /// Empty unless there are purchases of at least two apps.
  let apps: [String]
  /// A product with a name in the catalogue, and the name to display.
  private let named: [(bundle: String, product: String, name: String)]

  /// Reads the apps of all purchases, and the names in the catalogue.
  init(on db: Database) throws {
    let all = try String.fetchAll(
      db,
      sql: """
        SELECT bundle_id FROM fct_revenue WHERE bundle_id IS NOT NULL
        GROUP BY 1 ORDER BY count(1) DESC, 1
        """)
    apps = all.count > 1 ? all : []
    named = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT bundle_id, product_id,
          CASE WHEN EXISTS (SELECT 1 FROM dim_product AS o WHERE o.product_id <> p.product_id
            AND (o.product_name = p.product_name OR o.product_id = p.product_name))
            THEN product_name || ' (' || product_id || ')' ELSE product_name END
        FROM dim_product AS p WHERE product_name <> '' ORDER BY bundle_id, product_id
        """
    ).map { ($0[0], $0[1], $0[2]) }
  }

  /// The SQL expression of a product's name.
  func sql(_ product: String = "product_id", bundle: String = "bundle_id") -> String {
    let cases = named.map { one in
      let isApp = apps.isEmpty ? "" : " AND COALESCE(\(bundle), '') = \(Self.quoted(one.bundle))"
      return "WHEN \(product) = \(Self.quoted(one.product))\(isApp) THEN \(Self.quoted(one.name))"
    }
    let name =
      cases.isEmpty ? product : "CASE \(cases.joined(separator: " ")) ELSE \(product) END"
    return apps.isEmpty ? name : "\(name) || COALESCE(' (' || \(bundle) || ')', '')"
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
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
