internal import GRDB
internal import SQLiteFiles

/// The names of products on the dashboard: the catalogue's name, else the product id.
///
/// A product that was renamed (`same_as`) has the name of the id under which it is sold now.
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
        WITH RECURSIVE step (bundle_id, product_id, current, steps) AS (
          SELECT bundle_id, product_id, product_id, 0 FROM dim_product
          UNION ALL
          SELECT s.bundle_id, s.product_id, p.same_as, s.steps + 1
          FROM step AS s JOIN dim_product AS p
            ON p.bundle_id = s.bundle_id AND p.product_id = s.current
          WHERE p.same_as IS NOT NULL AND s.steps < 9
        ), sold (bundle_id, product_id, current, name) AS (
          SELECT s.bundle_id, s.product_id, s.current, n.product_name
          FROM (SELECT *, MAX(steps) FROM step GROUP BY bundle_id, product_id) AS s
          LEFT JOIN dim_product AS n ON n.bundle_id = s.bundle_id AND n.product_id = s.current
        )
        SELECT bundle_id, product_id,
          CASE WHEN EXISTS (SELECT 1 FROM sold AS o WHERE o.current <> s.current
            AND (o.name = s.name OR o.current = s.name))
            THEN name || ' (' || current || ')' ELSE COALESCE(name, current) END
        FROM sold AS s WHERE name <> '' OR current <> product_id ORDER BY bundle_id, product_id
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
