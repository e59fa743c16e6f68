internal import Crypto
internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline sign-offers` for a shop in which ana had a trial of `pro` in group G1 and hal a month
/// of `news` in G2; the group of `radio` is unknown.
struct SignOffersTests {
  private static let token = "1D9A4B0E-6F0C-4D8E-9A53-0C2F7F6D1A11"

  /// A shop with facts and a private key, and the public key that verifies its signatures.
  struct OfferShop {
    let shop: Shop
    let key = P256.Signing.PrivateKey()

    init() throws {
      shop = try Shop()
      try shop.folder.write(
        "pipeline.yaml",
        """
        state: var/state.db
        warehouse: out/warehouse.db
        inputs:
          receipts: ["in/*.ndjson"]
          catalog: catalog.yaml
        customer_key_file: customer.key
        fetch:
          issuer_id: 57246542-96fe-1a63-e053-0824d011072a
          key_id: 2X9R4HXF34
          private_key_file: AuthKey.p8
          bundle_id: com.example.shop
        """)
      try shop.folder.write(
        "catalog.yaml",
        """
        products:
          - {product_id: pro, kind: auto_renewable_subscription, subscription_group: G1}
          - {product_id: news, kind: auto_renewable_subscription, subscription_group: G2}
        """)
      try shop.folder.write(
        "in/a.ndjson",
        Self.record(1001, "ana", "pro", month: 3) + Self.record(1002, "ana", "pro", month: 4)
          + Self.record(1003, "hal", "news", month: 3))
      try shop.folder.write("AuthKey.p8", key.pemRepresentation)
      try allow(0o600)
      #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    }

    func allow(_ mode: Int) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: shop.folder.path("AuthKey.p8"))
    }

    private static func record(_ id: Int, _ customer: String, _ product: String, month: Int)
      -> String
    {
      """
      {"customer_id":"\(customer)","response":{"status":0,"environment":"Production",\
      "receipt":{"bundle_id":"com.example.shop","request_date":"2021-06-15 00:00:00 Etc/GMT"},\
      "latest_receipt_info":[{"transaction_id":"\(id)","original_transaction_id":"\(id)",\
      "web_order_line_item_id":"\(id + 5000)","product_id":"\(product)",\
      "subscription_group_identifier":"\(product == "pro" ? "G1" : "G2")",\
      "purchase_date":"2021-0\(month)-01 00:00:00 Etc/GMT",\
      "expires_date":"2021-0\(month + 1)-01 00:00:00 Etc/GMT"}]}}

      """
    }

    func sign(_ list: String, _ arguments: String...) throws -> Ending {
      // Tests that run in parallel use the same shop.
      let name = "\(UUID().uuidString).list"
      try shop.folder.write(name, list)
      return try shop.run(
        "paidline",
        arguments: ["sign-offers", "pipeline.yaml", "--list", name] + arguments)
    }
  }

  private static let made = Result { try OfferShop() }

  private static func answers(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Whether Apple would accept the signature.
  private static func isGood(_ answer: [String: Any], _ key: P256.Signing.PrivateKey) throws -> Bool
  {
    func text(_ name: String) -> String { answer[name] as? String ?? "?" }
    let parts = [
      "com.example.shop", "2X9R4HXF34", text("product_id"), text("offer_id"),
      text("app_account_token"), text("nonce"),
      "\((answer["timestamp"] as? NSNumber)?.int64Value ?? 0)",
    ]
    let der = try #require(Data(base64Encoded: text("signature")))
    return try key.publicKey.isValidSignature(
      P256.Signing.ECDSASignature(derRepresentation: der),
      for: Data(parts.joined(separator: "\u{2063}").utf8))
  }

  @Test func `eligible customers get signatures, and the others a reason`() throws {
    let made = try Self.made.get()
    let list = [
      ("ana", "pro"), ("hal", "pro"), ("nobody", "pro"), ("ana", "radio"), ("hal", "news"),
    ].map { customer, product in
      """
      {"customer_id":"\(customer)","product_id":"\(product)","offer_id":"win50",\
      "app_account_token":"\(Self.token)"}
      """
    }.joined(separator: "\n\n")
    let before = Int64(Date().timeIntervalSince1970 * 1000)
    let ending = try made.sign(list)
    #expect(ending.status == 0 && ending.errors == "")
    let answers = try Self.answers(ending.output)
    #expect(
      answers.map { "\($0["customer_id"] ?? "") \($0["product_id"] ?? "") \($0["reason"] ?? "")" }
        == [
          "ana pro ", "hal pro never_subscribed", "nobody pro unknown_customer",
          "ana radio unknown_product", "hal news ",
        ])
    #expect(answers.map { $0["is_signed"] as? Bool } == [true, false, false, false, true])
    for answer in [answers[0], answers[4]] {
      #expect(try Self.isGood(answer, made.key))
      #expect(answer["app_account_token"] as? String == Self.token.lowercased())
      let time = try #require((answer["timestamp"] as? NSNumber)?.int64Value)
      #expect(time >= before && time < before + 60_000)
      // The signature is invalid for another product and for another customer.
      for (name, other) in [("product_id", "plus"), ("app_account_token", "")] {
        #expect(try !Self.isGood(answer.merging([name: other]) { $1 }, made.key))
      }
    }
    #expect(answers[0]["nonce"] as? String != answers[4]["nonce"] as? String)
    #expect(
      Set(answers[1].keys) == ["customer_id", "product_id", "offer_id", "is_signed", "reason"])
  }

  @Test func `the token of the newer form names the customer's newest transaction`() throws {
    let made = try Self.made.get()
    let line = "{\"customer_id\":\"ana\",\"product_id\":\"pro\",\"offer_id\":\"win50\""
    let ending = try made.sign(
      line + "}\n" + line + ",\"transaction_id\":\"77\"}\n", "--form", "jws")
    let answers = try Self.answers(ending.output)
    for (answer, transaction) in zip(answers, ["1002", "77"]) {
      #expect(
        Set(answer.keys) == ["customer_id", "product_id", "offer_id", "is_signed", "jws"])
      let parts = try #require(answer["jws"] as? String).split(separator: ".")
      let signed = Data("\(parts[0]).\(parts[1])".utf8)
      #expect(
        try made.key.publicKey.isValidSignature(
          P256.Signing.ECDSASignature(rawRepresentation: Self.decoded(parts[2])), for: signed))
      let header = try JSONSerialization.jsonObject(with: Self.decoded(parts[0]))
      #expect(
        header as? [String: String] == ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"])
      let claims = try #require(
        JSONSerialization.jsonObject(with: Self.decoded(parts[1])) as? [String: Any])
      #expect(
        ["iss", "aud", "bid", "productId", "offerIdentifier", "transactionId"].map {
          claims[$0] as? String
        } == [
          "57246542-96fe-1a63-e053-0824d011072a", "promotional-offer", "com.example.shop", "pro",
          "win50", transaction,
        ])
      #expect(claims["iat"] is NSNumber && (claims["nonce"] as? String)?.count == 36)
    }
    #expect(answers.count == 2)
  }

  private static func decoded(_ text: Substring) throws -> Data {
    let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    return try #require(Data(base64Encoded: base64 + padding))
  }

  @Test func `a query names customers by their keys, and a file appears whole`() throws {
    let made = try Self.made.get()
    let ending = try made.shop.run(
      "paidline", "sign-offers", "pipeline.yaml", "--form", "signature", "--output", "signed",
      "--query",
      """
      SELECT customer_key, 'pro' AS product_id, 'win50' AS offer_id FROM dim_offer_eligibility
      ORDER BY subscription_group_id
      """)
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    let path = made.shop.folder.path("signed")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let answers = try Self.answers(String(contentsOfFile: path, encoding: .utf8))
    let keys = try made.shop.rows(
      "SELECT customer_key FROM dim_offer_eligibility ORDER BY subscription_group_id")
    #expect(answers.map { $0["customer_key"] as? String } == keys && keys.count == 2)
    #expect(answers.map { $0["is_signed"] as? Bool } == [true, false])
    #expect(try Self.isGood(answers[0], made.key))
    #expect(answers[0]["jws"] == nil)
  }

  @Test(arguments: [
    ("[]", "one complete JSON object"), ("{\"customer_id\":\"ana\"", "one complete JSON object"),
    ("{\"customer_id\":\"ana\",\"product_id\":\"pro\"}", "product_id and offer_id"),
    ("{\"product_id\":\"pro\",\"offer_id\":\"a\"}", "either customer_id or customer_key"),
    ("{\"customer_id\":\"ana\",\"product\":\"pro\"}", "no other keys than customer_id,"),
    ("{\"product_id\":\"a\",\"product_id\":\"b\"}", "product_id once"),
    ("{\"customer_id\":\"ana\",\"product_id\":\"a\u{2063}b\",\"offer_id\":\"c\"}", "control"),
    ("{\"customer_id\":true}", "customer_id to be a text"),
  ])
  func `a line that is no offer stops all of them`(_ line: String, _ expected: String) throws {
    let good = "{\"customer_id\":\"ana\",\"product_id\":\"pro\",\"offer_id\":\"win50\"}\n"
    let made = try OfferShop()
    let ending = try made.sign(good + line + "\n")
    #expect(ending.status == 65 && ending.output == "")
    #expect(ending.errors.contains("list:2: expected ") && ending.errors.contains(expected))
  }

  @Test func `a query that is none ends with the reason`() throws {
    let made = try Self.made.get()
    for (query, said) in [
      ("SELECT 1 AS x", "found the column \"x\""), ("SELEC", "syntax error"),
      ("DELETE FROM fct_revenue", "returns no columns; expected one SELECT"),
      ("ATTACH 'in' AS x", "returns no columns; expected one SELECT"),
      ("SELECT 1; SELECT 2", "found no statement, or more than one; expected one SELECT"),
      ("SELECT 'pro' AS product_id", "either customer_id or customer_key"),
    ] {
      let ending = try made.shop.run(
        "paidline", "sign-offers", "pipeline.yaml", "--query", query)
      #expect([64, 65].contains(ending.status) && ending.output == "")
      #expect(ending.errors.contains(said), "\(ending.errors)")
    }
    #expect(
      try made.shop.run("paidline", "sign-offers", "pipeline.yaml").status == 64)
  }

  @Test func `a key that others may read signs nothing, and no key is ever shown`() throws {
    let made = try OfferShop()
    let line = "{\"customer_id\":\"ana\",\"product_id\":\"pro\",\"offer_id\":\"win50\"}\n"
    try made.allow(0o640)
    let open = try made.sign(line)
    #expect(open.status == 77 && open.output == "" && open.errors.contains("chmod 600"))
    try made.allow(0o600)
    let fine = try made.sign(line, "--verbose")
    #expect(fine.status == 0)
    #expect(fine.errors.contains("signed 1 offer, valid until "))
    try made.shop.folder.write("AuthKey.p8", "no key")
    try made.allow(0o600)
    let broken = try made.sign(line)
    #expect(broken.status == 78 && broken.output == "")
    let secret = made.key.pemRepresentation.split(separator: "\n")[1]
    for ending in [open, fine, broken] {
      #expect(!(ending.output + ending.errors).contains(secret.prefix(20)))
    }
  }
}
