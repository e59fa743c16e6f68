internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `paidline eligibility` for a shop with one customer per case, as of 2021-06-15.
struct EligibilityTests {
  /// `pro` and `plus` are in group G1, `news` in G2; the group of `radio` is unknown.
  private static let pipeline = """
    state: var/state.db
    warehouse: out/warehouse.db
    inputs:
      receipts: ["in/*.ndjson"]
      catalog: catalog.yaml
    customer_key_file: customer.key
    """
  private static let catalogue = """
    products:
      - {product_id: pro, kind: auto_renewable_subscription, subscription_group: G1}
      - {product_id: plus, kind: auto_renewable_subscription, subscription_group: G1}
      - {product_id: news, kind: auto_renewable_subscription, subscription_group: G2}
    """

  /// A record of 2021-06-15 with one subscription row.
  private static func record(
    _ id: Int, _ customer: String, product: String = "pro", group: String? = "G1",
    from: String = "2021-03-01", to: String = "2021-04-01", more: String = "", renewal: String = "",
    app: String = "com.example"
  ) -> String {
    let group = group.map { ",\"subscription_group_identifier\":\"\($0)\"" } ?? ""
    return """
      {"customer_id":"\(customer)","response":{"status":0,"environment":"Production",\
      "receipt":{"bundle_id":"\(app)","request_date":"2021-06-15 00:00:00 Etc/GMT"},\
      "latest_receipt_info":[{"transaction_id":"\(id)","original_transaction_id":"\(id)",\
      "web_order_line_item_id":"\(id + 5000)","product_id":"\(product)",\
      "purchase_date":"\(from) 00:00:00 Etc/GMT","expires_date":"\(to) 00:00:00 Etc/GMT"\
      \(group)\(more)}]\(renewal)}}

      """
  }

  private static func shop() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("pipeline.yaml", pipeline)
    try shop.folder.write("catalog.yaml", catalogue)
    let grace = """
      ,"pending_renewal_info":[{"original_transaction_id":"1005","product_id":"pro",\
      "auto_renew_status":"1","is_in_billing_retry_period":"1",\
      "grace_period_expires_date":"2021-06-20 00:00:00 Etc/GMT"}]
      """
    try shop.folder.write(
      "in/a.ndjson",
      [
        record(1001, "ana", more: ",\"is_trial_period\":\"true\""),
        record(1002, "ben"),
        record(1003, "cleo", from: "2021-06-01", to: "2021-07-01"),
        record(1004, "dora", more: ",\"cancellation_date\":\"2021-03-09 00:00:00 Etc/GMT\""),
        record(1005, "emil", from: "2021-05-10", to: "2021-06-10", renewal: grace),
        record(1006, "fay", product: "plus", group: nil),
        record(1007, "gus", product: "radio", group: nil),
        record(1008, "hal", product: "news", group: "G2"),
        record(1009, "ida", more: ",\"in_app_ownership_type\":\"FAMILY_SHARED\""),
      ].joined())
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0 && ending.output == "")
    return shop
  }

  private static let made = Result { try shop() }

  private static func answers(_ arguments: String...) throws -> [String] {
    let shop = try made.get()
    let name = UUID().uuidString  // Tests run side by side.
    let process = try shop.start(
      "paidline", ["eligibility", "pipeline.yaml", "--json"] + arguments,
      output: try file(shop, name))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let data = try Data(contentsOf: URL(fileURLWithPath: shop.folder.path(name)))
    let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["as_of"] as? String == "2021-06-15T00:00:00Z")
    let answers = try #require(report["answers"] as? [[String: Any]])
    return answers.map { answer in
      ["product_id", "subscription_group_id", "is_intro_eligible", "intro_reason"]
        .map { "\(answer[$0] ?? "?")" }.joined(separator: "|")
        + "|\(answer["is_promo_eligible"] ?? "?")"
    }
  }

  private static func file(_ shop: Shop, _ name: String) throws -> FileHandle {
    let path = shop.folder.path(name)
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return try Shop.writing(path)
  }

  @Test func `each customer gets the published answer for a product of the group`() throws {
    let expected = [
      "ana": "0|used_trial|1", "ben": "1|eligible|1", "cleo": "0|active|1",
      "dora": "0|refunded|1", "emil": "<null>|in_grace_period|1",
      // hal has only a subscription of another group, so the introductory offer of this group is
      // unused.
      "hal": "1|eligible|0",
    ]
    for (customer, answer) in expected.sorted(by: { $0.key < $1.key }) {
      #expect(
        try Self.answers("--customer", customer, "--product", "plus") == ["plus|G1|\(answer)"])
    }
  }

  @Test func `a product that two apps have is answered for each app`() throws {
    let shop = try Shop()
    try shop.folder.write("pipeline.yaml", Self.pipeline)
    try shop.folder.write("catalog.yaml", "products: []\n")
    try shop.folder.write(
      "in/a.ndjson",
      [
        Self.record(1001, "ana", more: ",\"is_trial_period\":\"true\""),
        Self.record(1002, "ben", group: "G9", app: "com.other"),
      ].joined())
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    let answer = try shop.run(
      "paidline", "eligibility", "pipeline.yaml", "--customer", "ana", "--product", "pro")
    #expect(
      answer.output == """
        As of 2021-06-15T00:00:00Z
        product             group  introductory offer  reason      promotional offer
        ──────────────────  ─────  ──────────────────  ──────────  ─────────────────
        pro of com.example  G1     no                  used_trial  yes
        pro of com.other    G9     yes                 eligible    no

        """)
  }

  @Test func `several products are answered in the order asked`() throws {
    #expect(
      try Self.answers(
        "--customer", "ana", "--product", "news", "--product", "pro", "--product", "radio",
        "--product", "nothing")
        == [
          "news|G2|1|eligible|0", "pro|G1|0|used_trial|1",
          "radio|<null>|<null>|unknown_group|<null>",
          "nothing|<null>|<null>|unknown_product|<null>",
        ])
  }

  @Test func `without a product every group of the customer is answered`() throws {
    #expect(try Self.answers("--customer", "ana") == ["<null>|G1|0|used_trial|1"])
    #expect(try Self.answers("--customer", "hal") == ["<null>|G2|1|eligible|1"])
  }

  @Test func `a customer the facts do not know is unknown, and so is a family member`() throws {
    for customer in ["nobody", "ida", "Ana"] {
      #expect(
        try Self.answers("--customer", customer, "--product", "pro")
          == ["pro|G1|<null>|unknown_customer|<null>"])
      #expect(try Self.answers("--customer", customer) == [])
    }
  }

  @Test func `a subscription without a group makes nobody eligible by mistake`() throws {
    // fay paid the full price for a product that is in G1 according to the catalogue. The group of
    // gus's product is unknown.
    #expect(
      try Self.answers("--customer", "fay", "--product", "pro", "--product", "news")
        == ["pro|G1|1|eligible|1", "news|G2|1|eligible|0"])
    #expect(
      try Self.answers("--customer", "gus", "--product", "pro")
        == ["pro|G1|<null>|subscription_without_group|<null>"])
  }

  @Test func `people get a table that says as of when`() throws {
    let shop = try Self.made.get()
    let ending = try shop.run(
      "paidline", "eligibility", "pipeline.yaml", "--customer", "emil", "--product", "pro",
      "--product", "news")
    #expect(
      ending
        == Ending(
          status: 0,
          output: """
            As of 2021-06-15T00:00:00Z
            product  group  introductory offer  reason           promotional offer
            ───────  ─────  ──────────────────  ───────────────  ─────────────────
            pro      G1     not decided         in_grace_period  yes
            news     G2     yes                 eligible         no

            """, errors: ""))
    let unknown = try shop.run(
      "paidline", "eligibility", "pipeline.yaml", "--customer", "canary-9")
    #expect(unknown.output.contains("Unknown customer"))
    #expect(!(unknown.output + unknown.errors).contains("canary-9"))
  }

  @Test func `the answer stays the published one while a run is writing`() throws {
    let shop = try Self.shop()
    let queue = try DatabaseQueue(path: shop.folder.path("out/warehouse.db"))
    let ending = try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      try db.execute(sql: "DELETE FROM dim_offer_eligibility")
      let ending = try shop.run(
        "paidline", "eligibility", "pipeline.yaml", "--customer", "ana", "--product", "pro")
      try db.execute(sql: "ROLLBACK")
      return ending
    }
    #expect(ending.status == 0)
    #expect(ending.output.contains("used_trial"))
  }

  @Test func `ids from standard input are answered one by one, without an id`() throws {
    let shop = try Self.made.get()
    try shop.folder.write("ids.txt", "ana\r\n\nnobody\n")
    func ask(_ more: String...) throws -> Ending {
      try shop.run(
        "paidline", arguments: ["eligibility", "pipeline.yaml", "--customer", "-"] + more,
        input: try Shop.reading(shop.folder.path("ids.txt")))
    }
    let lines = try ask("--json").output.split(separator: "\n")
    let objects = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(objects.map { $0?["is_customer_known"] as? Bool } == [true, false])
    let text = try ask().output
    #expect(text.hasPrefix("Customer ") && text.contains("\nUnknown customer: "))
    #expect(!text.contains("ana\n") && !text.contains("nobody"))
  }

  @Test func `a question without an answer ends with the status that fits`() throws {
    let shop = try Self.made.get()
    #expect(try shop.run("paidline", "eligibility", "pipeline.yaml").status == 64)
    #expect(
      try shop.run("paidline", "eligibility", "pipeline.yaml", "--customer", "").status == 64)
    let empty = try Shop()
    let ending = try empty.run("paidline", "eligibility", "pipeline.yaml", "--customer", "ana")
    #expect(ending.status == 66)
    #expect(ending.errors.contains("nothing is published yet"))
    // A key that is too short is refused before the customer is looked up.
    try empty.folder.write("customer.key", "short")
    #expect(
      try empty.run("paidline", "eligibility", "pipeline.yaml", "--customer", "ana").status == 78)
  }
}
