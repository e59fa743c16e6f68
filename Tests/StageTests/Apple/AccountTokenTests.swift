internal import Foundation
internal import TestSupport
internal import Testing

/// Apple's `appAccountToken`: the customer id if no export has one, and an id that an erasure
/// finds.
struct AccountTokenTests {
  private static let anaToken = "7e3fb204-2ed1-4ad2-b5a2-5f1f6c8a0001"
  private static let carlToken = "7e3fb204-2ed1-4ad2-b5a2-5f1f6c8a0003"
  private static let fetch = """
    fetch:
      issuer_id: 57246542-96fe-1a63-e053-0824d011072a
      key_id: 2X9R4HXF34
      private_key_file: key.p8
      bundle_id: com.example
      output: signed/history-{date}-{run}.ndjson
    """

  private func named(_ token: String) -> [String: String?] {
    ["appAccountToken": "\"\(token)\"", "signedDate": "1735689600000"]
  }

  private static let keys = """
    SELECT transaction_id, customer_key FROM fct_revenue ORDER BY transaction_id
    """

  @Test func `a customer whom an export names stays that customer when Apple signs a token`() throws
  {
    let shop = try SignedShop()
    try shop.writeReceipts(
      Export.purchase(1001, day: "2024-01-05", customer: "ana")
        + Export.purchase(1002, day: "2024-01-05", customer: "ben"))
    try shop.write([try shop.token(1002, day: "2024-01-05")])
    #expect(try shop.run().status == 0)
    let before = try shop.shop.rows(Self.keys)
    try shop.write(
      try [
        shop.token(1001, day: "2024-01-05", named(Self.anaToken)),
        shop.token(1003, day: "2024-01-05", named(Self.carlToken)),
      ], file: "signed/b.ndjson")
    #expect(try shop.run().status == 0)
    let after = try shop.shop.rows(Self.keys)
    #expect(Array(after.prefix(2)) == before)
    // The other purchases have a customer only from the token.
    #expect(after.count == 3 && !after[2].hasSuffix("NULL"))
  }

  @Test func `an erasure tells the lines of fetched exports that name the erased`() throws {
    let shop = try SignedShop(more: Self.fetch)
    try shop.writeReceipts(
      Export.purchase(1001, day: "2024-01-05", customer: "ana")
        + Export.purchase(1002, day: "2024-01-05", customer: "ben"))
    let ana = try shop.token(1001, day: "2024-01-05", named(Self.anaToken))
    let ben = try shop.token(1002, day: "2024-01-05", named("someone"))
    let history = "signed/history-2024-05-01-0001.ndjson"
    try shop.write(
      [
        "{\"signedTransactions\":[\"\(ana)\"]}", "{\"signedTransactions\":[\"\(ben)\"]}",
        // The same purchase, without the token.
        try shop.token(1001, day: "2024-01-05"),
        try shop.token(1003, day: "2024-01-05", named(Self.carlToken)),
      ], file: history)
    try shop.write([ben], file: "signed/history-2024-05-02-0001.ndjson")
    try shop.write([ana], file: "signed/from-our-server.ndjson")
    #expect(try shop.run().status == 0)
    let amounts = "SELECT transaction_id, paid_milli, price_status FROM fct_revenue ORDER BY 1"
    let facts = try shop.shop.rows(amounts)
    let bytes = try shop.shop.folder.bytes(history)
    try shop.shop.folder.write("ids", "ana\n\(Self.carlToken)\n")
    for times in ["2 erased, 0 already erased", "0 erased, 2 already erased"] {
      let ending = try shop.shop.run("paidline", "erase", "--customer-id-file", "ids")
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(
        ending.output == """
          2 customer ids: \(times), 0 in no file that was read.
          This file still contains the ids, under Apple's signature; remove the file yourself \
          after a run has read it: \(history), lines 1, 4
          Apart from files named as rewritten, this command does not change in/*.ndjson, signed/*, \
          lists of ids, or copies of the databases; remove the customers from them yourself.

          """, "\(ending.output)")
    }
    #expect(try shop.shop.folder.bytes(history) == bytes)
    #expect(try shop.shop.rows(amounts) == facts)
    #expect(
      try shop.shop.rows(
        "SELECT transaction_id FROM fct_revenue WHERE customer_key IS NULL ORDER BY 1")
        == ["1001", "1003"])
    let json = try shop.shop.run("paidline", "erase", "--customer-id-file", "ids", "--json")
    #expect(json.output.contains("\"fetched_naming_them\""))
    #expect(json.output.contains(history))
    #expect(!json.output.contains(Self.carlToken))
  }
}
