internal import Testing

/// The apps and stores that signed transactions may have.
struct SignedAppsTests {
  private static let rejects =
    "SELECT source_line, reason_code, detail FROM rejected_record ORDER BY 1"

  @Test func `a token of another app is rejected where the pipeline names its own`() throws {
    let shop = try SignedShop(more: "bundle_ids: [com.example]")
    try shop.writeReceipts(Export.purchase(1001, day: "2024-01-05"))
    let other = ["bundleId": "\"com.example.other\""]
    try shop.write([
      try shop.token(1001, day: "2024-01-05"), try shop.token(1002, day: "2024-01-05"),
      try shop.token(2001, day: "2024-01-05", other),
    ])
    #expect(try shop.run("--log-level", "notice").errors.contains("read 2 new files"))
    let ids = "SELECT transaction_id FROM fct_revenue ORDER BY 1"
    #expect(try shop.shop.rows(ids) == ["1001", "1002"])
    #expect(try shop.shop.rows(Self.rejects) == ["3|token_bundle|token: com.example.other"])
    // Another app of the owner is added. It does not affect the reading of receipts, so they are
    // not read again.
    try shop.writePipeline([], more: "bundle_ids: [com.example, com.example.other]")
    #expect(try shop.run("--log-level", "notice").errors.contains("read 1 new file:"))
    #expect(try shop.shop.rows(ids) == ["1001", "1002", "2001"])
    #expect(try shop.shop.rows(Self.rejects).isEmpty)
  }

  @Test func `tokens of the sandbox are rejected where production alone is wanted`() throws {
    let shop = try SignedShop(inputs: ["receipts: []", "signed_environments: [Production]"])
    try shop.write([
      try shop.token(1001, day: "2024-01-05"), try shop.token(1002, day: "2024-01-05"),
      try shop.token(1003, day: "2024-01-05", ["environment": "\"Sandbox\""]),
    ])
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows(Self.rejects) == ["3|token_environment|token: Sandbox"])
    #expect(try shop.shop.rows("SELECT count(1) FROM excluded_purchase") == ["0"])
  }

  @Test func `an environment that Apple does not have, and an app fetched in vain, are refused`()
    throws
  {
    let shop = try SignedShop(inputs: ["receipts: []", "signed_environments: [production]"])
    let refused = try shop.run()
    #expect(refused.status == 78)
    #expect(
      refused.errors.contains(
        "expected inputs.signed_environments to be a list of Production, Sandbox or both, found "
          + "\"production\""
      ),
      "\(refused.errors)")
    let fetching = try Shop(
      more: """
        bundle_ids: [com.example]
        fetch:
          issuer_id: 57246542-96fe-1a63-e053-0824d011072a
          key_id: 2X9R4HXF34
          private_key_file: key.p8
          bundle_id: com.example.other
        """)
    let vain = try fetching.run("paidline", "check", fetching.pipeline)
    #expect(vain.status == 78)
    #expect(
      vain.errors.contains("one of bundle_ids, as other apps are ignored"), "\(vain.errors)")
  }
}
