internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline-publish` by itself and as the last stage of a run.
struct PublishTests {
  /// A shop with a price report and one purchase, after one run.
  static func shop(
    script: String? = "lib/chart.js", more: String = "", product: String = "pro"
  ) throws -> (shop: Shop, ending: Ending) {
    let shop = try Shop(
      more: "report: out/report.html\n"
        + (script.map { "report_chart_script: \($0)\n" } ?? "") + more)
    try shop.folder.write("lib/chart.js", "var Chart; // </script>")
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05").replacing("\"pro\"", with: "\"\(product)\""))
    return (shop, try shop.run("paidline", "run", shop.pipeline))
  }

  static func report(_ shop: Shop) throws -> String {
    String(decoding: try shop.folder.bytes("out/report.html"), as: UTF8.self)
  }

  /// The cells of a table, found by its caption.
  static func table(_ caption: String, in page: String) throws -> [[String]] {
    let parts = page.components(separatedBy: "<caption>\(caption)")
    try #require(parts.count == 2, "\(parts.count - 1) tables begin with \(caption)")
    let body = try #require(
      parts[1].components(separatedBy: "<tbody>").dropFirst().first?
        .components(separatedBy: "</tbody>").first)
    return body.components(separatedBy: "<tr>").dropFirst().map { row in
      row.replacing(/<\/t[hd]>/, with: "\u{1}").replacing(/<[^>]*>/, with: "")
        .components(separatedBy: "\u{1}").dropLast().map(unescaped)
    }
  }

  /// Unescapes a text as a browser does: by code points, not by characters.
  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal)
    }
  }

  @Test func `a run writes the report, readable as the warehouse is, and only once`() throws {
    let (shop, ending) = try Self.shop()
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    let path = shop.folder.path("out/report.html")
    let before = try FileManager.default.attributesOfItem(atPath: path)
    let warehouse = try FileManager.default.attributesOfItem(
      atPath: shop.folder.path("out/warehouse.db"))
    #expect(before[.posixPermissions] as? Int == warehouse[.posixPermissions] as? Int)
    let page = try Self.report(shop)
    #expect(page.hasSuffix("</html>\n"))
    #expect(page.contains("var Chart; // <\\/script>"))
    #expect(try shop.folder.names("out").filter { $0.hasPrefix(".") } == [])

    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let after = try FileManager.default.attributesOfItem(atPath: path)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
  }

  @Test func `a report that was lost is the same again`() throws {
    let (shop, _) = try Self.shop()
    let page = try Self.report(shop)
    try FileManager.default.removeItem(atPath: shop.folder.path("out/report.html"))
    #expect(try shop.run("paidline-publish", shop.pipeline).status == 0)
    #expect(try Self.report(shop) == page)
  }

  @Test func `a run without news makes the page anew only if it or its sources changed`() throws {
    let (shop, _) = try Self.shop()
    let page = try Self.report(shop)
    func isMade() throws -> Bool {
      let ending = try shop.run("paidline", "run", shop.pipeline, "--log-level", "info")
      #expect(ending.status == 0, "\(ending.errors)")
      return !ending.errors.contains("the pages are up to date")
    }
    #expect(try !isMade())

    try shop.folder.write("out/report.html", String(page.dropLast(9)))
    #expect(try isMade())
    #expect(try Self.report(shop) == page)
    #expect(try !isMade())

    try FileManager.default.removeItem(atPath: shop.folder.path("out/report.html"))
    #expect(try isMade())
    #expect(try Self.report(shop) == page)

    try shop.folder.write("lib/chart.js", "var Chart = 2; // </script>")
    #expect(try isMade())
    #expect(try Self.report(shop).contains("var Chart = 2; // <\\/script>"))

    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06", customer: "c-2"))
    #expect(try isMade())
    #expect(try !isMade())
  }

  /// The figures that the page's script reads.
  private static func data(in page: String) throws -> [String: Any] {
    let text = try #require(
      page.components(separatedBy: "id=\"data\">").last?.components(separatedBy: "</script>").first)
    return try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The sums per month of a column of the figures that the filters add up.
  private static func sums(_ column: String, of name: String, in page: String) throws -> [Int] {
    let data = try data(in: page)
    let tables = try #require(data["tables"] as? [String: [String: Any]])
    let columns = try #require(tables[name]?["columns"] as? [String])
    let figures = try #require(tables[name]?["figures"] as? [Int])
    let (month, place) = (columns.firstIndex(of: "month"), columns.firstIndex(of: column))
    var sums = [Int](repeating: 0, count: (data["months"] as? [String])?.count ?? 0)
    for start in stride(from: 0, to: figures.count, by: columns.count) {
      sums[figures[start + (try #require(month))]] += figures[start + (try #require(place))]
    }
    return sums
  }

  @Test func `the figures that filters add up are the warehouse's`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let page = try Self.report(shop)
    for (column, query) in [
      (
        "active",
        """
        SELECT COALESCE(SUM(active_subscriptions + unresolved_subscriptions), 0) FROM dim_date AS d
        LEFT JOIN active_subscriptions_daily USING (date_day)
        WHERE date_day IN (SELECT MAX(date_day) FROM dim_date GROUP BY month)
        GROUP BY d.month ORDER BY d.month
        """
      ),
      (
        "refunded",
        """
        SELECT count(DISTINCT purchase_key) FROM dim_date LEFT JOIN fct_revenue
          ON purchased_date = date_day AND reversal_kind = 'refund' AND paid_milli > 0
        GROUP BY month ORDER BY month
        """
      ),
      (
        "mature",
        """
        SELECT count(DISTINCT offer_purchase_key) FROM dim_date LEFT JOIN fct_conversion AS c
          ON started_date = date_day AND offer_kind = 'trial' AND NOT EXISTS (
            SELECT 1 FROM fct_conversion AS o WHERE o.started_date = c.started_date
              AND o.offer_kind = 'trial' AND o.offer_product_id = c.offer_product_id
              AND o.storefront IS c.storefront AND o.is_mature = 0)
        GROUP BY month ORDER BY month
        """
      ),
      (
        "without_rate",
        """
        SELECT COALESCE(SUM(unconverted_subscriptions), 0)
        FROM dim_date AS d LEFT JOIN mrr_daily USING (date_day)
        WHERE date_day IN (SELECT MAX(date_day) FROM dim_date GROUP BY month)
        GROUP BY d.month ORDER BY d.month
        """
      ),
      (
        "open_high",
        """
        SELECT COALESCE(SUM(mrr_high_reporting_micros - mrr_reporting_micros), 0)
        FROM dim_date AS d LEFT JOIN mrr_daily USING (date_day)
        WHERE date_day IN (SELECT MAX(date_day) FROM dim_date GROUP BY month)
        GROUP BY d.month ORDER BY d.month
        """
      ),
      (
        "unbounded",
        """
        SELECT COALESCE(SUM(unbounded_subscriptions), 0)
        FROM dim_date AS d LEFT JOIN mrr_daily USING (date_day)
        WHERE date_day IN (SELECT MAX(date_day) FROM dim_date GROUP BY month)
        GROUP BY d.month ORDER BY d.month
        """
      ),
    ] {
      #expect(
        try Self.sums(column, of: "counts", in: page).map(String.init) == shop.rows(query),
        "\(column)")
    }
  }

  @Test func `every day of the months has its total`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let data = try Self.data(in: Self.report(shop))
    let tables = try #require(data["tables"] as? [String: [String: Any]])
    let figures = try #require(tables["totals"]?["figures"] as? [Int])
    let found = stride(from: 0, to: figures.count, by: 4).map { start in
      figures[start..<start + 4].map(String.init).joined(separator: "|")
    }
    #expect(
      try found
        == shop.rows(
          """
          SELECT CAST(julianday(date_day) - julianday((SELECT MIN(date_day) FROM revenue_daily)) AS INTEGER),
            COALESCE(SUM(net_cohort_reporting_micros), 0), SUM(chargeable_rows),
            SUM(unresolved_rows)
          FROM revenue_daily GROUP BY date_day ORDER BY date_day
          """))
    let first = try shop.rows("SELECT MIN(date_day) FROM revenue_daily")
    #expect((data["days"] as? [Any])?.first as? String == first.first)
  }

  @Test func `the report's figures are the warehouse's`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let page = try Self.report(shop)
    for currency in ["USD", "EUR", "PLN", "GBP", "JPY", "KWD", "BRL"] {
      let decimals = currency == "JPY" ? 0 : currency == "KWD" ? 3 : 2
      let sums = """
        printf('%.\(decimals)f', SUM(gross_milli) / 1000.0),
        printf('%.\(decimals)f', SUM(gross_low_milli) / 1000.0),
        CASE WHEN count(gross_high_milli) = count(1)
          THEN printf('%.\(decimals)f', SUM(gross_high_milli) / 1000.0)
          ELSE 'no bound known' END,
        printf('%.\(decimals)f', SUM(net_cohort_milli) / 1000.0), SUM(unresolved_rows)
        """
      for (caption, length) in [("day", 10), ("month", 7)] {
        let expected = try shop.rows(
          """
          SELECT substr(date_day, 1, \(length)) AS period, product_id, \(sums)
          FROM revenue_daily WHERE currency = '\(currency)' GROUP BY 1, 2 ORDER BY 1, 2
          """)
        let found = try Self.table("\(currency) by \(caption) and product", in: page)
        let plain = found.map { $0.dropLast().joined(separator: "|").replacing(",", with: "") }
        #expect(plain == expected, "\(currency) by \(caption)")
      }
    }
    try Self.compareTotals(in: page, with: shop)
    let converted = try shop.rows(
      """
      SELECT substr(purchased_date, 1, 7), product_id,
        printf('%.2f', SUM(COALESCE(paid_reporting_micros, 0)) / 1000000.0),
        printf('%.2f', SUM(CASE reversal_kind WHEN 'refund' THEN 0
          ELSE COALESCE(paid_reporting_micros, 0) END) / 1000000.0),
        count(paid_milli) - count(paid_reporting_micros)
      FROM fct_revenue GROUP BY 1, 2 ORDER BY 1, 2
      """)
    let inDollars = try Self.table("All currencies in USD by month and product", in: page)
    #expect(
      inDollars.map { $0.prefix(5).joined(separator: "|").replacing(",", with: "") } == converted)
    let coverage = try shop.rows(
      """
      SELECT substr(date_day, 1, 7), SUM(chargeable_rows), SUM(known_rows), SUM(exact_rows)
      FROM price_coverage_daily GROUP BY 1 ORDER BY 1
      """)
    let shown = try Self.table("Coverage by month", in: page)
    #expect(shown.map { $0.prefix(4).joined(separator: "|") } == coverage)
    let trials = try shop.rows(
      """
      SELECT substr(started_date, 1, 7), offer_product_id, count(1), SUM(is_mature),
        SUM(status = 'converted' AND is_same_product = 1), SUM(status = 'converted')
      FROM fct_conversion WHERE offer_kind = 'trial' GROUP BY 1, 2 ORDER BY 1, 2
      """)
    let cohorts = try Self.table("Free trials by month and product", in: page)
    #expect(cohorts.map { $0.prefix(6).joined(separator: "|") } == trials)
    let refunds = try shop.rows(
      """
      SELECT substr(reversed_at, 1, 7), product_id, currency, count(1)
      FROM fct_revenue WHERE reversal_kind = 'refund' AND paid_milli > 0
      GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3
      """)
    let given = try Self.table("Refunds by the month", in: page)
    #expect(given.map { $0.prefix(4).joined(separator: "|") } == refunds)
    let rejects = try Self.table("Unusable records and rows by reason", in: page)
    #expect(
      rejects.map { $0.joined(separator: "|") }
        == (try shop.rows(
          "SELECT reason_code, count(1) FROM rejected_record GROUP BY 1 ORDER BY 2 DESC, 1")))
    let tests = try Self.table("Tests that found rows", in: page)
    #expect(
      tests.map { $0[0] }
        == (try shop.rows("SELECT test FROM data_test_result WHERE failing_rows > 0 ORDER BY 1")))
  }

  /// Compares the table of currencies with the sums of the facts, in thousandths.
  private static func compareTotals(in page: String, with shop: Shop) throws {
    let expected = try shop.rows(
      """
      SELECT r.currency, SUM(r.paid_milli), SUM(r.paid_low_milli),
        (SELECT COALESCE(SUM(amount_milli), 0) FROM fct_revenue_entry AS e
          WHERE e.currency = r.currency AND e.entry_kind = 'refund'),
        count(1) - count(r.paid_milli)
      FROM fct_revenue AS r WHERE r.currency IS NOT NULL GROUP BY r.currency ORDER BY r.currency
      """)
    let found = try table("Revenue by currency, all time.", in: page)
      .filter { $0[0] != "unknown" }.sorted { $0[0] < $1[0] }
    func milli(_ text: String) -> String {
      let parts = text.replacing(",", with: "").split(separator: ".")
      let fraction = (parts.count > 1 ? String(parts[1]) : "") + "000"
      return String(Int(String(parts[0]) + fraction.prefix(3)) ?? -1)
    }
    #expect(
      found.map { "\($0[0])|\(milli($0[1]))|\(milli($0[2]))|\(milli($0[4]))|\($0[5])" } == expected)
  }

  @Test(arguments: [
    "</script><img src=x onerror=alert(1)>", "=cmd|'/c calc'!A1", "\u{202E}txt.exe",
    "\u{600}<script>alert(1)</script>",
  ])
  func `a hostile product id stays a text from the export to the page`(_ product: String) throws {
    let (shop, ending) = try Self.shop(product: product)
    #expect(ending.status == 0, "\(ending.errors)")
    let page = try Self.report(shop)
    #expect(try Self.table("USD by day and product", in: page).map { $0[1] } == [product])
    let bytes = Array(page.utf8)
    for mark in ["<img src=x", "<script>alert"] {
      #expect(bytes.firstRange(of: Array(mark.utf8)) == nil)
    }
  }

  @Test func `Datasette's metadata and dbt's sources tell what the warehouse tells`() throws {
    let (shop, ending) = try Self.shop(
      more: "datasette_metadata: out/metadata.yaml\ndbt_sources: out/sources.yml\n")
    #expect(ending.status == 0)
    let metadata = String(decoding: try shop.folder.bytes("out/metadata.yaml"), as: UTF8.self)
    let sources = String(decoding: try shop.folder.bytes("out/sources.yml"), as: UTF8.self)
    for table in try shop.rows("SELECT DISTINCT table_name FROM meta_column") {
      #expect(metadata.contains("\n      \(table):\n"))
      #expect(sources.contains("\n  - name: \"\(table)\"\n"))
    }
    #expect(metadata.contains("databases:\n  warehouse:\n"))
    #expect(metadata.contains("What was paid") || metadata.contains("paid_milli: \""))
    #expect(sources.contains("accepted_values:"))
    #expect(sources.contains("to: \"source('paidline', 'fct_revenue')\""))
  }
}
