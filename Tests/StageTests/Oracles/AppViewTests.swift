internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The views and the dashboard for two apps that sell products with equal ids.
struct AppViewTests {
  /// A store with several apps, after a run of its own pipeline.
  private static let store = Result {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample", "store", "--hard", "several-apps", "--seed", "5", "--customers", "60")
    #expect(made.status == 0, "\(made.errors)")
    let pipeline = String(decoding: try shop.folder.bytes("store/pipeline.yaml"), as: UTF8.self)
    try shop.folder.write("store/pipeline.yaml", pipeline + "\nreport: var/report.html\n")
    let ending = try shop.run("paidline", "run", "store/pipeline.yaml", "-q")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  /// The columns of a table or view.
  private static func columns(_ name: String, _ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
  }

  /// The rows of a view, sorted as text.
  private static func lines(_ columns: [String], of view: String, _ db: Database) throws -> [String]
  {
    try Row.fetchAll(db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(view)")
      .map { $0.databaseValues.map(\.description).joined(separator: "|") }.sorted()
  }

  @Test func `equal product ids in two apps are as far apart as different ones`() throws {
    let shop = try Self.store.get()
    try FileManager.default.copyItem(
      atPath: shop.folder.path("store/var/warehouse.db"), toPath: shop.folder.path("renamed.db"))
    let ours = try DatabaseQueue(path: shop.folder.path("store/var/warehouse.db"))
    let renamed = try DatabaseQueue(path: shop.folder.path("renamed.db"))
    // Give each product an id that no other app has.
    try renamed.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      for table in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      {
        let columns = try Self.columns(table, db)
        guard columns.contains("bundle_id") else { continue }
        for column in columns where column.hasSuffix("product_id") {
          try db.execute(
            sql:
              "UPDATE \(table) SET \(column) = bundle_id || ':' || \(column) WHERE bundle_id <> ''")
        }
      }
      // An event has its app from its purchase.
      try db.execute(
        sql: """
          UPDATE fct_subscription_event SET former_product_id = (
            SELECT bundle_id FROM fct_revenue AS r
            WHERE r.purchase_key = fct_subscription_event.purchase_key) || ':' || former_product_id
          """)
    }
    let views = try ours.read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE 'untyped_%'
          ORDER BY 1
          """)
    }
    var compared = 0
    for view in views where !view.hasPrefix("reconciliation_") {
      let columns = try ours.read { try Self.columns(view, $0) }
      guard let bundle = columns.first(where: { $0.hasSuffix("bundle_id") }) else {
        #expect(!columns.contains { $0.hasSuffix("product_id") }, "\(view) does not name the app")
        continue
      }
      let named = columns.map { column in
        column.hasSuffix("product_id")
          ? "CASE WHEN \(bundle) IS NULL THEN \(column) ELSE \(bundle) || ':' || \(column) END"
          : column
      }
      let found = try ours.read { try Self.lines(named, of: view, $0) }
      let expected = try renamed.read { try Self.lines(columns, of: view, $0) }
      #expect(found == expected, "\(view)")
      compared += found.count
    }
    #expect(compared > 1000)
    let shared = try ours.read {
      try Int.fetchOne(
        $0,
        sql: "SELECT count(1) - count(DISTINCT product_id) FROM dim_product WHERE bundle_id <> ''")
    }
    #expect(try #require(shared) > 0, "no product id is in two apps")
  }

  @Test func `the dashboard tells the apps apart and has a choice of them`() throws {
    let shop = try Self.store.get()
    let page = String(decoding: try shop.folder.bytes("store/var/report.html"), as: UTF8.self)
    let start = try #require(page.range(of: #"id="data">"#)).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let data = try #require(
      try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
    let apps = try #require(data["apps"] as? [String])
    let products = try #require(data["products"] as? [String])
    let places = try #require(data["appsOfProducts"] as? [Int])
    let named = try shop.rows(
      """
      SELECT DISTINCT product_id || ' (' || bundle_id || ')' FROM fct_revenue
      WHERE bundle_id IS NOT NULL
      """, in: "store/var/warehouse.db")
    #expect(apps.count > 1 && products.count == places.count)
    #expect(Set(products).isSuperset(of: named))
    for (product, place) in zip(products, places) where place >= 0 {
      #expect(product.hasSuffix("(\(apps[place]))"))
    }
  }
}
