internal import Foundation
internal import TestSupport
internal import Testing

/// Exports of databases of documents, which are one object: what `init` says of each, and whether
/// the command that it prints writes a record for every purchase.
struct DocumentMapTests {
  /// The number of customers; the paths of that many do not fit into a search for columns.
  private static let customers = 109

  private static func answer(_ id: Int) -> String {
    #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example","#
      + #""request_date_ms":"1714557700000","in_app":[{"transaction_id":"\#(id)","#
      + #""original_transaction_id":"\#(id)","product_id":"pro","#
      + #""purchase_date_ms":"1714557600000"}]}}"#
  }

  private static func text(_ json: String) -> String {
    "\"\(json.replacing("\"", with: "\\\""))\""
  }

  /// A map with a member for each customer.
  private static func map(_ value: (Int) -> String) -> String {
    "{\((0..<customers).map { "\"uid\($0)\":\(value($0))" }.joined(separator: ","))}"
  }

  /// A map with three purchases.
  private static func purchases(_ customer: Int, _ value: (Int) -> String) -> String {
    let members = (0..<3).map { "\"-Nx\(customer)\($0)\":\(value(1000 + 3 * customer + $0))" }
    return "{\(members.joined(separator: ","))}"
  }

  /// An object with members of its own.
  private static func object(_ members: String...) -> String {
    "{\(members.joined(separator: ","))}"
  }

  private static func member(_ name: String, _ value: String) -> String { "\"\(name)\":\(value)" }

  private static func users(_ value: (Int) -> String) -> String {
    object(member("users", map(value)))
  }

  private struct Export {
    var text: String
    var purchases = DocumentMapTests.customers
    /// Some of the customers.
    var customers = ["uid0", "uid105"]
  }

  private static let name = member("name", "\"x\"")

  private static let exports: [Export] = [
    Export(text: map { answer(1000 + $0) }),
    Export(text: users { answer(1000 + $0) }),
    // A map on each line.
    Export(
      text: "{\"uid0\":\(answer(1000)),\"uid1\":\(answer(1001))}\n{\"uid105\":\(answer(1002))}\n",
      purchases: 3),
    Export(text: object(member("version", "1"), member("users", map { answer(1000 + $0) }))),
    Export(text: users { object(name, member("receipt", answer(1000 + $0))) }),
    Export(text: users { object(name, member("receipt", text(answer(1000 + $0)))) }),
    // Most customers buy nothing.
    Export(
      text: users { $0 % 5 == 0 ? object(member("apple", answer(1000 + $0))) : object(name) },
      purchases: 22),
    Export(
      text: object(
        member(
          "my users",
          object(
            member(
              "all",
              map { user in
                object(
                  name,
                  member(
                    "purchases",
                    purchases(user) { object(member("at", "1"), member("response", answer($0))) }))
              })))),
      purchases: 327),
    Export(
      text: users { user in object(member("receipts", purchases(user) { answer($0) })) },
      purchases: 327),
    Export(
      text: users { user in
        let records = [2 * user, 2 * user + 1].map { object(member("response", answer(1000 + $0))) }
        return object(member("receipts", "[\(records.joined(separator: ","))]"))
      }, purchases: 218),
    Export(
      text: object(
        member(
          "receipts",
          map { object(member("uid", "\"c-\($0)\""), member("response", answer(1000 + $0))) })),
      customers: ["c-0", "c-108"]),
    Export(
      text: users {
        object(member("customer_id", "\"c-\($0)\""), member("response", answer(1000 + $0)))
      }, customers: ["c-0", "c-108"]),
  ]

  @Test(arguments: exports.indices)
  func `the command of jq writes a record of each purchase`(_ number: Int) throws {
    let export = Self.exports[number]
    let shop = try Shop()
    try shop.folder.write("export.json", export.text)
    let found = try shop.run("paidline", "init", "mine", "--from", "export.json")
    #expect(found.status == 65, "\(found.output)")
    let command = try #require(found.output.firstRange(of: "jq -c '"), "\(found.output)")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/jq") else { return }
    let line = found.output[command.lowerBound...].prefix { !$0.isNewline }
    let made = try shop.run(
      "/bin/sh", arguments: ["-c", "\(line) export.json > records.ndjson"])
    #expect(made.status == 0, "\(line): \(made.errors)")
    let pipeline = try shop.run("paidline", "init", "mine", "--from", "records.ndjson")
    #expect(pipeline.status == 0, "\(line): \(pipeline.output) \(pipeline.errors)")
    let run = try shop.run("paidline", "run", "mine/pipeline.yaml")
    #expect(run.status == 0, "\(line): \(run.errors)")
    let rows = try shop.rows("SELECT count(*) FROM fct_revenue", in: "mine/var/warehouse.db")
    #expect(rows == ["\(export.purchases)"], "\(line)")
    for customer in export.customers {
      let offers = try shop.run(
        "paidline", "eligibility", "mine/pipeline.yaml", "--customer", customer)
      #expect(!offers.output.contains("Unknown customer"), "\(line): \(customer)")
    }
  }

  /// An event of Superwall's webhook.
  private static func event(_ id: Int) -> String {
    #"{"object":"event","type":"initial_purchase","timestamp":1714557600000,"data":{"#
      + #""name":"initial_purchase","periodType":"NORMAL","price":9.99,"store":"APP_STORE","#
      + #""priceInPurchasedCurrency":9.99,"currencyCode":"USD","countryCode":"US","#
      + #""transactionId":"\#(id)","originalTransactionId":"\#(id)","productId":"pro","#
      + #""purchasedAt":1714557600000,"expirationAt":1717236000000,"environment":"PRODUCTION","#
      + #""originalAppUserId":"u-\#(id)","isFamilyShare":false}}"#
  }

  /// A server's record around an event.
  private static func record(_ event: String) -> String {
    object(member("received_at", "1714557600000"), member("payload", event))
  }

  private static let events = [
    map { event(1000 + $0) }, object(member("events", map { event(1000 + $0) })),
    object(member("events", map { record(event(1000 + $0)) })),
    object(member("hooks", map { record(text(event(1000 + $0))) })),
  ]

  @Test(arguments: events.indices)
  func `a map of a service's events is not read as one event`(_ number: Int) throws {
    let shop = try Shop()
    try shop.folder.write("export.json", Self.events[number])
    let found = try shop.run("paidline", "init", "mine", "--from", "export.json")
    #expect(found.status == 65, "\(found.output)")
    let command = try #require(found.output.firstRange(of: "jq -c '"), "\(found.output)")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/jq") else { return }
    let line = found.output[command.lowerBound...].prefix { !$0.isNewline }
    let made = try shop.run("/bin/sh", arguments: ["-c", "\(line) export.json > events.ndjson"])
    #expect(made.status == 0, "\(line): \(made.errors)")
    #expect(try shop.run("paidline", "init", "mine", "--from", "events.ndjson").status == 0)
    #expect(try shop.run("paidline", "run", "mine/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT count(*) FROM fct_revenue", in: "mine/var/warehouse.db")
        == ["\(Self.customers)"], "\(line)")
  }

  @Test(arguments: events.indices)
  func `a run refuses such a map that the pipeline lists as an export`(_ number: Int) throws {
    let shop = try Shop(export: "{files: export.json, format: superwall_webhook}")
    try shop.folder.write("export.json", Self.events[number])
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("one object with several records; write each on a line of its own"),
      "\(ending.errors)")
  }

  @Test func `a map of RevenueCat's webhooks is not read as one price`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "export.json",
      Self.object(
        Self.member(
          "webhooks",
          Self.map { number in
            #"{"api_version":"1.0","event":{"type":"INITIAL_PURCHASE","environment":"PRODUCTION","#
              + #""store":"APP_STORE","product_id":"pro","app_user_id":"c-\#(number)","#
              + #""transaction_id":"\#(1000 + number)","currency":"USD","price":9.99,"#
              + #""price_in_purchased_currency":9.99,"purchased_at_ms":1714557600000}}"#
          })))
    let found = try shop.run("paidline", "init", "mine", "--from", "export.json")
    #expect(found.output.contains("jq -c '.webhooks[]'"), "\(found.output)")
  }

  @Test func `signed data beside a transaction make no map of a record`() throws {
    let part = String(repeating: "A", count: 60)
    func jws(_ number: Int) -> String { "\"eyJhbGciOiJFUzI1NiJ9.\(part)\(number).\(part)\"" }
    let shop = try Shop()
    try shop.folder.write(
      "data.ndjson",
      (0..<3).map {
        Self.object(
          Self.member("jws", jws($0)), Self.member("appTransaction", jws(10 + $0)),
          Self.member("signedRenewalInfo", jws(20 + $0))) + "\n"
      }.joined())
    let found = try shop.run("paidline", "init", "mine", "--from", "data.ndjson")
    #expect(!found.output.contains("jq"), "\(found.output)")
  }

  @Test func `signed transactions in a map are written with their customers`() throws {
    let part = String(repeating: "A", count: 60)
    let shop = try Shop()
    try shop.folder.write(
      "export.json",
      Self.users {
        Self.object(Self.member("jws", "\"eyJhbGciOiJFUzI1NiJ9.\(part)\($0).\(part)\""))
      })
    let found = try shop.run("paidline", "init", "mine", "--from", "export.json")
    #expect(
      found.output.contains(
        "jq -c '.users | to_entries[] | {customer_id: .key} + (.value | objects) | select(.jws)'"),
      "\(found.output)")
  }

  @Test func `a run names the command for a map of receipts`() throws {
    let shop = try Shop(receipts: "export.json")
    try shop.folder.write("export.json", Self.users { Self.answer(1000 + $0) })
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("paidline init --from finds the key"), "\(ending.errors)")
  }

  @Test func `a list of prices in each customer is written whole, too`() throws {
    let shop = try Shop()
    let price =
      #"{"sku":"pro","price":9.99,"currency":"USD","at":"2024-05-01T10:00:00Z"}"#
    try shop.folder.write(
      "export.json",
      Self.users { user in
        Self.object(Self.member("purchases", Self.purchases(user) { _ in price }))
      })
    let found = try shop.run("paidline", "init", "mine", "--from", "export.json")
    #expect(
      found.output.contains(
        "jq -c '.users | to_entries[] | {customer_id: .key} + (.value.purchases[]? | objects)'"),
      "\(found.output)")
  }
}
