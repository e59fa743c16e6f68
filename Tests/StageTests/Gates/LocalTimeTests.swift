internal import TestSupport
internal import Testing

/// Times that name no zone, in an owner's own tables.
struct LocalTimeTests {
  private static func prices(_ day: Int) -> String {
    "customer_id,product_id,price,currency,reported_at\nc-1,pro,9.99,USD,2024-05-0\(day) 10:00:05\n"
  }

  @Test func `a run tells once that times without a zone are UTC`() throws {
    let shop = try Shop(inputs: [#"prices: ["prices/*.csv"]"#])
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-05-01", price: nil))
    try shop.folder.write("prices/a.csv", Self.prices(1))
    try shop.folder.write("prices/b.csv", Self.prices(2))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "times of 2 files of prices/*.csv, prices/a.csv the first, name no zone and are read as "
          + "UTC; if they are of another clock, write for example time_zone: Europe/Berlin in the "
          + "entry of inputs.prices."), "\(ending.errors)")
    try shop.folder.write("prices/c.csv", Self.prices(3))
    #expect(try !shop.run("paidline", "run").errors.contains("zone"))
  }

  @Test func `with the zone in the entry there is nothing to tell`() throws {
    let shop = try Shop(inputs: [#"prices: [{files: "prices/*.csv", time_zone: Europe/Berlin}]"#])
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-05-01", price: nil))
    try shop.folder.write("prices/a.csv", Self.prices(1))
    #expect(try !shop.run("paidline", "run").errors.contains("zone"))
    #expect(
      try shop.rows("SELECT reported_at FROM price_evidence") == ["2024-05-01T08:00:05Z"])
  }
}
