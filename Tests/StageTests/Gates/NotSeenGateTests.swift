internal import TestSupport
internal import Testing

/// Subscriptions whose end nobody has looked at.
struct NotSeenGateTests {
  @Test func `the run says how many, what they paid, and what to do`() throws {
    let shop = try Shop(receipts: "in/{date}.ndjson")
    // Nobody has asked about the first month since it ended. A week after the others' exports, the
    // days before them count as complete.
    for (number, day) in ["2021-02-01", "2021-04-01", "2021-04-12"].enumerated() {
      try shop.folder.write(
        "in/\(day).ndjson",
        Export.purchase(1001 + number, day: day, customer: "c-\(number)"))
    }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "nobody has asked Apple about 1 subscription (last paid 9.99 USD) since it ended, so "
          + "whether it was renewed is not known: it is not_seen, not expired."),
      "\(ending.errors)")
    #expect(ending.errors.contains("paidline-validate pipeline.yaml --older-than 7d"))
    #expect(
      try shop.rows("SELECT status FROM dim_subscription ORDER BY 1") == [
        "active", "active", "not_seen",
      ])
  }
}
