internal import Foundation
internal import TestSupport
internal import Testing

/// A currency that loses two zeros, with the real program.
struct RebasedCurrencyTests {
  /// In February and in March four customers buy each of two products in Hungary; in March the
  /// prices are in another unit.
  private static func export() -> String {
    var lines = ""
    for (month, prices) in [("02", ["1290", "990"]), ("03", ["12.90", "9.90"])] {
      for (number, price) in prices.enumerated() {
        for customer in 1...4 {
          let id = (Int(month) ?? 0) * 1000 + number * 100 + customer
          lines += Export.purchase(
            id, day: "2021-\(month)-0\(customer)", customer: "c\(id)", price: price
          )
          .replacing("\"pro\"", with: number == 0 ? "\"pro\"" : "\"plus\"")
          .replacing("USD", with: "HUF").replacing("USA", with: "HUN")
        }
      }
    }
    return lines
  }

  private static let known =
    "SELECT count(*), count(paid_milli) FROM fct_revenue WHERE purchased_at >= '2021-03'"

  @Test func `without a line the run names it and decides nothing there`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.export())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("rebased: [{currency: HUF, from: 2021-03-01, factor: 100}]"),
      "\(ending.errors)")
    #expect(
      try shop.rows("SELECT gate, severity, subject FROM audit_gate")
        == ["rebased_currency|warn|HUN HUF"])
    #expect(try shop.rows(Self.known) == ["8|0"])
  }

  @Test func `with the line both units are known`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.export())
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write(
      "catalog.yaml",
      "products: []\nrebased: [{currency: HUF, from: 2021-03-01, factor: 100}]\n")
    let pipeline = try String(contentsOfFile: shop.folder.path("pipeline.yaml"), encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml", pipeline.replacing("inputs:\n", with: "inputs:\n  catalog: catalog.yaml\n"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0 && !ending.errors.contains("rebased"), "\(ending.errors)")
    #expect(try shop.rows(Self.known) == ["8|8"])
    #expect(
      try shop.rows(
        "SELECT paid_milli, count(*) FROM fct_revenue GROUP BY 1 ORDER BY 1")
        == ["9900|4", "12900|4", "990000|4", "1290000|4"])
  }
}
