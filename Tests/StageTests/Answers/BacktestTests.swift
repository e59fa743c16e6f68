internal import Foundation
internal import ReceiptSigning
internal import TestSupport
internal import Testing

/// The sample store with a third of its purchases signed: the effect of Apple's prices, and the
/// accuracy of the rules without them.
struct BacktestTests {
  /// A row of the run without signed prices, with the true amount.
  private struct Signed {
    var id: String
    var truth: String
    var currency: String
    /// The rules' decision without signed prices: rule, status, amount and bounds.
    var decided: String
  }

  private static let run = Result { try signedRun() }

  /// The true amount in thousandths and the currency, keyed by transaction id.
  private static func truth() throws -> [String: (paid: String, currency: String)] {
    let text = try String(contentsOfFile: SampleRunTests.sampleData + "/truth.csv", encoding: .utf8)
    var truth: [String: (paid: String, currency: String)] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for id in cells[0].split(separator: " ") { truth[String(id)] = (cells[4], cells[3]) }
    }
    return truth
  }

  /// Runs the sample store; every third revenue row has its true price in a signed transaction.
  private static func signedRun() throws -> (shop: Shop, signed: [Signed]) {
    let (plain, _) = try SampleRunTests.sample.get()
    let truth = try truth()
    let signer = try TokenSigner()
    let rows = try plain.rows(
      """
      SELECT transaction_id, original_transaction_id, web_order_line_item_id, product_id,
        unixepoch(purchased_at) * 1000, unixepoch(expires_at) * 1000, period_kind, offer_id,
        quantity, price_rule || '|' || price_status || '|' || coalesce(paid_milli, 'NULL') || '|'
          || paid_low_milli || '|' || coalesce(paid_high_milli, 'NULL')
      FROM fct_revenue WHERE price_status <> 'conflict' ORDER BY purchase_key
      """)
    var signed: [Signed] = []
    var tokens = ""
    for (number, row) in rows.enumerated() where number % 3 == 0 {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard let known = truth[cells[0]] else { continue }
      let decided = cells[9...].joined(separator: "|")
      signed.append(
        Signed(id: cells[0], truth: known.paid, currency: known.currency, decided: decided))
      tokens += try signer.sign(payload(cells, price: known.paid, currency: known.currency)) + "\n"
    }
    let shop = try Shop()
    try shop.folder.write("signed/a.ndjson", tokens)
    try shop.folder.write("root.der", bytes: signer.root)
    let pipeline = String(
      decoding: try plain.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing(
        "inputs:\n", with: "inputs:\n  signed: [signed/a.ndjson]\n  signed_roots: [root.der]\n"))
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    #expect(try shop.run("paidline", "backtest", "pipeline.yaml").status == 0)
    return (shop, signed)
  }

  /// A payload that was signed a second after the purchase, which is before the first receipt
  /// export.
  private static func payload(_ cells: [String], price: String, currency: String) -> String {
    func text(_ key: String, _ value: String) -> String {
      value == "NULL" ? "" : "\"\(key)\":\"\(value)\","
    }
    let offer =
      switch cells[6] {
      case "trial": "\"offerType\":1,\"offerDiscountType\":\"FREE_TRIAL\","
      case "intro": "\"offerType\":1,\"offerDiscountType\":\"PAY_AS_YOU_GO\","
      case "promo", "offer_code":
        "\"offerType\":2,\"offerIdentifier\":\"\(cells[7])\",\"offerDiscountType\":\""
          + (price == "0" ? "FREE_TRIAL" : "PAY_UP_FRONT") + "\","
      default: ""
      }
    let end = cells[5] == "NULL" ? "" : "\"expiresDate\":\(cells[5]),"
    return "{" + text("transactionId", cells[0]) + text("originalTransactionId", cells[1])
      + text("webOrderLineItemId", cells[2]) + text("productId", cells[3]) + end + offer
      + "\"purchaseDate\":\(cells[4]),\"signedDate\":\((Int64(cells[4]) ?? 0) + 1000),"
      + "\"quantity\":\(cells[8]),\"bundleId\":\"app.paidline.sample\",\"price\":\(price),"
      + "\"currency\":\"\(currency)\",\"environment\":\"Production\"}"
  }

  @Test func `every signed row is exact, and has the true amount`() throws {
    let (shop, signed) = try Self.run.get()
    #expect(signed.count > 100)
    var found: [String: String] = [:]
    for row in try shop.rows(
      """
      SELECT transaction_id, paid_milli || '|' || currency || '|' || price_status FROM fct_revenue
      WHERE price_rule = 'signed_price'
      """)
    {
      let cells = row.split(separator: "|", maxSplits: 1).map(String.init)
      found[cells[0]] = cells[1]
    }
    for row in signed {
      #expect(found[row.id] == "\(row.truth)|\(row.currency)|exact", "\(row.id)")
    }
    #expect(found.count == signed.count)
  }

  @Test func `the backtest is what the rules said before anything was signed`() throws {
    let (shop, signed) = try Self.run.get()
    var found: [String: String] = [:]
    for row in try shop.rows(
      """
      SELECT r.transaction_id, b.rule, b.status, b.rule_milli, b.low_milli, b.high_milli, b.verdict
      FROM audit_backtest AS b JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
      """)
    {
      let cells = row.split(separator: "|", maxSplits: 1).map(String.init)
      found[cells[0]] = cells[1]
    }
    #expect(found.count == signed.count)
    var right = 0
    for row in signed {
      let cells = try #require(found[row.id]).split(separator: "|").map(String.init)
      #expect(cells.dropLast().joined(separator: "|") == row.decided, "\(row.id)")
      if cells[2] == row.truth { right += 1 }
    }
    let rightRows = try shop.rows("SELECT SUM(right_rows) FROM backtest_by_rule")
    #expect(rightRows == ["\(right)"])
  }

  @Test func `paidline backtest tells how often the rules are right`() throws {
    let (shop, signed) = try Self.run.get()
    let text = try shop.run("paidline", "backtest", "pipeline.yaml")
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.output.contains("Apple signed the price of \(signed.count) rows"))
    #expect(text.output.contains("Amounts exact by reported_with_purchase were right in "))
    let json = try shop.run("paidline", "backtest", "pipeline.yaml", "--json", "--rows")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["signed_rows"] as? Int == signed.count)
    #expect((object?["rules"] as? [Any])?.isEmpty == false)
    let none = try SignedShop()
    try none.writeReceipts(Export.purchase(1001, day: "2024-01-05"))
    try none.write([SignedShop.payload(1002, day: "2024-01-05")])
    #expect(try none.run().status == 0)
    #expect(
      try none.shop.run("paidline", "backtest", "pipeline.yaml").output
        .contains("No purchase has a signed price"))
  }

  @Test func `only paidline backtest writes its rows, and a run deletes those that are wrong now`()
    throws
  {
    let signed = try SignedShop()
    try signed.writeReceipts(
      Export.purchase(1001, day: "2024-01-05", price: "8.99")
        + Export.purchase(1003, day: "2024-01-09", customer: "c-9", price: "8.99"))
    try signed.write([try signed.token(1001, day: "2024-01-05")])
    #expect(try signed.run().status == 0)
    let (shop, query) = (signed.shop, "SELECT run_id, signed_milli, verdict FROM audit_backtest")
    #expect(try shop.rows(query) == [])
    #expect(try shop.run("paidline", "backtest", "pipeline.yaml").status == 0)
    #expect(try shop.rows(query) == ["1|9990|wrong"])
    try shop.folder.write("in/b.ndjson", Export.purchase(1004, day: "2024-01-10"))
    #expect(try shop.run("paidline-ingest", "pipeline.yaml").status == 0)
    let early = try shop.run("paidline", "backtest", "pipeline.yaml")
    #expect(early.status == 65 && early.errors.contains("Run the pipeline first"))
    #expect(try signed.run().status == 0)
    #expect(try shop.rows(query) == ["1|9990|wrong"], "the old comparison still holds")
    let file = try shop.rows("SELECT sha256 FROM audit_file WHERE kind = 'signed'")[0]
    #expect(try shop.run("paidline", "forget", "pipeline.yaml", "--file", file).status == 0)
    #expect(try signed.run().status == 0)
    #expect(try shop.rows(query) == [])
  }
}
