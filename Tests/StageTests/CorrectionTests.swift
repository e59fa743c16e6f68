internal import Foundation
internal import TestSupport
internal import Testing

/// The owner's corrections, from the command line to the warehouse and back.
struct CorrectionTests {
  /// A shop with a purchase of unknown price, a purchase whose price a phone reports, and a
  /// corrections file.
  private static func shop() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05", price: nil)
        + Export.purchase(1002, day: "2021-01-06", customer: "ben"))
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:\n", with: "inputs:\n  corrections: corrections.yaml\n"))
    try shop.folder.write("corrections.yaml", "corrections:\n")
    return shop
  }

  private static let published = Result {
    let shop = try CorrectionTests.shop()
    try #require(try shop.run("paidline", "run", shop.pipeline).status == 0)
    return shop
  }

  /// A copy of the shop after its first run.
  private static func publishedShop() throws -> Shop {
    try ShopBeforeRun.copy(of: published.get())
  }

  private static func correct(_ shop: Shop, _ id: String, _ amount: String, _ more: String...)
    throws
    -> Ending
  {
    try shop.run(
      arguments: ["explain", shop.pipeline, id, "--correct", amount, "--reason", "invoice \"17\""]
        + more)
  }

  private static let row = """
    SELECT paid_milli, price_rule, price_status FROM fct_revenue WHERE transaction_id = '1001'
    """

  @Test func `a line on the command line decides, is audited, and undone by removing it`() throws {
    let shop = try Self.publishedShop()
    let before = try shop.rows(Self.row)
    let written = try Self.correct(shop, "1001", "12.99", "--by", "mara")
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.contains("corrections.yaml:2: transaction 1001 is 12.99 USD"))
    let again = try Self.correct(shop, "1001", "11.99")
    #expect(again.status == 78 && again.errors.contains("corrections.yaml:2: transaction 1001"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.row) == ["12990|owner_correction|configured"])
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, amount_milli, currency, reason, given_by, rule_without,
          paid_without_milli FROM audit_correction
        """) == ["1001|12990|USD|invoice \"17\"|mara|price_history|9990"])
    let explained = try shop.run("paidline", "explain", shop.pipeline, "1001").output
    #expect(explained.contains("invoice \"17\""))
    #expect(explained.contains("9.99 USD (price_history, inferred)"))
    #expect(explained.contains("corrections.yaml:2"))
    let status = try shop.run("paidline", "status", shop.pipeline).output
    #expect(status.contains("Corrections    1, 1 in force"))
    #expect(status.contains("1001 12.99 USD: in force; without this line 9.99 USD (price_history)"))
    // An incremental run with other changes keeps the published correction.
    try shop.folder.write("in/b.ndjson", Export.purchase(1003, day: "2021-01-07", customer: "cid"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT rule_without, paid_without_milli FROM audit_correction")
        == ["price_history|9990"])
    #expect(try shop.run("paidline", "verify", shop.pipeline, "--full").status == 0)
    try shop.folder.write("corrections.yaml", "corrections: []\n")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.row) == before)
    #expect(try shop.rows("SELECT count(1) FROM audit_correction") == ["0"])
  }

  @Test func `the first correction creates the file, which a run demands`() throws {
    let shop = try Self.publishedShop()
    try FileManager.default.removeItem(atPath: shop.folder.path("corrections.yaml"))
    let missing = try shop.run("paidline", "run", shop.pipeline)
    #expect(missing.status == 66 && missing.errors.contains("--correct`, or remove"))
    let written = try Self.correct(shop, "1001", "12.99")
    #expect(written.status == 0, "\(written.errors)")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.row) == ["12990|owner_correction|configured"])
  }

  @Test func `a correction by purchase key names the transaction`() throws {
    let shop = try Self.publishedShop()
    let key = try #require(
      try shop.rows("SELECT purchase_key FROM fct_revenue WHERE transaction_id = '1001'").first)
    let written = try Self.correct(shop, key, "12.99")
    #expect(
      written.output.contains("corrections.yaml:2: transaction 1001 is 12.99 USD"),
      "\(written.errors)")
  }

  @Test func `a correction that decides nothing is told with its line`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "corrections.yaml",
      """
      corrections:
        - {transaction_id: "4711", amount: "9.99", currency: USD, reason: r, given_by: m, given_on: 2021-02-01}
        - {transaction_id: "1001", amount: "9.99", currency: EUR, reason: r, given_by: m, given_on: 2021-02-01}

      """)
    let run = try shop.run("paidline", "run", shop.pipeline)
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "corrections.yaml:2: the correction of transaction 4711 has no effect: no export that was "
          + "read has this transaction"))
    #expect(
      run.errors.contains(
        "corrections.yaml:3: the correction of transaction 1001 has no effect: the purchase is in "
          + "USD, not EUR"))
    let status = try shop.run("paidline", "status", shop.pipeline, "--json").output
    #expect(status.contains("\"is_in_force\": false"))
    let other = try Self.correct(shop, "1002", "9.99", "--currency", "EUR")
    #expect(other.status == 65 && other.errors.contains("the purchase is in USD"))
    #expect(try Self.correct(shop, "1002", "9,99").status == 64)
    #expect(try Self.correct(shop, "4712", "9.99").status == 66)
  }

  @Test func `a second line for a purchase, under another of its ids, is told`() throws {
    let shop = try Self.shop()
    // The same renewal under two transaction ids: its line item is the same.
    try shop.folder.write(
      "in/b.ndjson",
      Export.purchase(1001, day: "2021-01-05", price: nil).replacing(
        "\"transaction_id\":\"1001\"", with: "\"transaction_id\":\"1077\""))
    let end = "currency: USD, reason: r, given_by: m, given_on: 2021-02-01}"
    try shop.folder.write(
      "corrections.yaml",
      """
      corrections:
        - {transaction_id: "1077", amount: "12.99", \(end)
        - {transaction_id: "1001", amount: "11.99", \(end)

      """)
    let run = try shop.run("paidline", "run", shop.pipeline)
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "corrections.yaml:3: the correction of transaction 1001 has no effect: an earlier line "
          + "corrects the same purchase, as transaction 1077; remove one of the two lines"))
    #expect(
      try shop.rows(
        "SELECT paid_milli, price_rule FROM fct_revenue WHERE purchased_date = '2021-01-05'")
        == ["12990|owner_correction"])
    #expect(
      try shop.rows(
        "SELECT transaction_id, rule_without FROM audit_correction ORDER BY transaction_id")
        == ["1001|NULL", "1077|price_history"])
    try shop.folder.write(
      "corrections.yaml",
      "corrections:\n  - {transaction_id: \"1077\", amount: \"12.99\", \(end)\n")
    let again = try Self.correct(shop, "1001", "11.99")
    #expect(again.status == 78)
    #expect(
      again.errors.contains("corrections.yaml:2: transaction 1001 is corrected here already, as "))
  }

  @Test(
    arguments: [
      ("", "corrections.yaml:3:"), ("# nothing yet", "corrections.yaml:4:"),
      ("corrections: []\n", "corrections.yaml:1:"), ("corrections:\n", "corrections.yaml:2:"),
      ("corrections: [\n]  # none\n", "corrections.yaml:2:"),
      (
        "corrections: [{transaction_id: \"1002\", amount: 8, currency: USD, reason: r, "
          + "given_by: m, given_on: 2021-02-01}]\n", "corrections.yaml:1:"
      ),
      (
        "corrections:\n- {transaction_id: \"1002\", amount: 8, currency: USD, reason: r, "
          + "given_by: m, given_on: 2021-02-01}\n", "corrections.yaml:3:"
      ),
    ])
  func `a line is added to a file of any form`(_ text: String, _ place: String) throws {
    let shop = try Self.publishedShop()
    try shop.folder.write("corrections.yaml", text)
    let written = try Self.correct(shop, "1001", "12.99")
    #expect(written.status == 0 && written.output.contains(place), "\(written)")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.row) == ["12990|owner_correction|configured"])
  }

  @Test func `an amount, a reason or a name that a line cannot have is refused`() throws {
    let shop = try Self.publishedShop()
    let amount = try Self.correct(shop, "1001", "9.999")
    #expect(amount.status == 64)
    #expect(amount.errors.contains("an amount in USD with at most 2 decimals, found 9.999"))
    let name = try Self.correct(shop, "1001", "9.99", "--by", " ")
    #expect(name.status == 64)
    #expect(name.errors.contains("--by expects the person who states the amount"))
    let reason = try shop.run(
      arguments: ["explain", shop.pipeline, "1001", "--correct", "9.99", "--reason", ""])
    #expect(reason.status == 64)
    #expect(reason.errors.contains("--reason expects the source of the amount"))
    #expect(
      String(decoding: try shop.folder.bytes("corrections.yaml"), as: UTF8.self)
        == "corrections:\n")
  }

  @Test(
    arguments: [
      (
        "{transaction_id: \"1\", amount: 9.999, currency: USD, reason: r, given_by: m, given_on: 2021-02-01}",
        "corrections[1].amount to be an amount in USD with at most 2 decimals, found \"9.999\""
      ),
      (
        "{transaction_id: \"1\", amount: \"9.99\", currency: USD, given_by: m, given_on: 2021-02-01}",
        "reason"
      ),
      (
        "{transaction_id: \"1\", amount: nine, currency: USD, reason: r, given_by: m, given_on: 2021-02-01}",
        "amount"
      ),
      (
        "{transaction_id: \"1\", amount: 9, currency: US, reason: r, given_by: m, given_on: 2021-02-01}",
        "currency"
      ),
      (
        "{transaction_id: \"1\", amount: 9, currency: USD, reason: r, given_by: m, given_on: soon}",
        "given_on"
      ),
      (
        "{transaction_id: \"1\", amount: 9, currency: USD, why: r, given_by: m, given_on: 2021-02-01}",
        "why"
      ),
    ])
  func `a wrong line is refused with file, line and what is expected`(
    _ line: String, _ word: String
  )
    throws
  {
    let shop = try Self.shop()
    try shop.folder.write("corrections.yaml", "corrections:\n  - \(line)\n")
    let run = try shop.run("paidline", "run", shop.pipeline)
    #expect(run.status == 78)
    #expect(run.errors.contains("corrections.yaml:2") && run.errors.contains(word))
  }
}
