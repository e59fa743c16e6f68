internal import TestSupport
internal import Testing

/// Subscriptions whose end nobody has looked at.
struct NotSeenGateTests {
  @Test func `the run says how many, what they paid, and what to do`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    // Three months later another customer's receipt arrives, and nobody has asked about the first.
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-05-01", customer: "c-2"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "nobody has asked Apple about 1 subscription (last paid 9.99 USD) since"),
      "\(ending.errors)")
    #expect(ending.errors.contains("paidline-validate pipeline.yaml --older-than 7d"))
    #expect(
      try shop.rows("SELECT status FROM dim_subscription ORDER BY 1") == ["active", "not_seen"])
  }
}
