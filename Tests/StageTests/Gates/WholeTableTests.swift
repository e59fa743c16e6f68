internal import Foundation
internal import TestSupport
internal import Testing

/// Entries with `replaces: true`: each content of a path is the whole table.
struct WholeTableTests {
  /// A shop whose receipts are one dump of all customers.
  private func shop(replaces: Bool = true) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [{files: "in/*.ndjson", replaces: \(replaces)}]
      customer_key_file: customer.key
      """)
    return shop
  }

  /// The dump of a night: 300 customers and one more each night, without the customer of the night.
  private func dump(night: Int) -> String {
    (1...(300 + night)).filter { $0 != night }.map { number in
      Export.purchase(
        1000 + number, day: "2021-02-01", customer: "c-\(number)",
        price: number % 7 == night ? "8.99" : "9.99")
    }.joined()
  }

  private func size(_ shop: Shop) throws -> Int {
    try shop.folder.bytes("var/state.db").count
  }

  @Test func `eight nights of a dump are one run over the last`() throws {
    let shop = try shop()
    for night in 1...8 {
      try shop.folder.write("in/all.ndjson", dump(night: night))
      #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    }
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
    let fresh = try self.shop()
    try fresh.folder.write("in/all.ndjson", dump(night: 8))
    #expect(try fresh.run("paidline", "run").status == 0)
    #expect(try shop.contentHash() == fresh.contentHash())
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["307"])
    #expect(try shop.rows("SELECT name, status FROM audit_file") == ["in/all.ndjson|used"])
    #expect(try size(shop) < size(fresh) * 3 / 2)
  }

  @Test(arguments: ["", "[]", "{broken\n", #"{"response":{"status":21002}}"#])
  func `content without a usable record takes nothing away`(_ content: String) throws {
    let shop = try shop()
    try shop.folder.write("in/all.ndjson", dump(night: 1))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/all.ndjson", content)
    _ = try shop.run("paidline", "run")
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["300"])
    try shop.folder.write("in/all.ndjson", dump(night: 2))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["301"])
    #expect(try shop.rows("SELECT count(1) FROM audit_file") == ["1"])
  }

  @Test func `content that still stands at another path stays`() throws {
    let shop = try shop()
    try shop.folder.write("in/all.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/old.ndjson", Export.purchase(1001, day: "2021-02-01"))
    try shop.folder.write(
      "in/all.ndjson", Export.purchase(1002, day: "2021-02-01", customer: "c-2"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])
  }

  @Test func `without the key both are used, and the owner is told how to choose`() throws {
    let shop = try shop(replaces: false)
    try shop.folder.write("in/all.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write(
      "in/all.ndjson", Export.purchase(1002, day: "2021-02-01", customer: "c-2"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("in/all.ndjson has new content; the earlier content ("))
    #expect(ending.errors.contains(", 1 record) is still used"))
    #expect(ending.errors.contains(#"{files: "in/*.ndjson", replaces: true}"#))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])

    let text = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write("pipeline.yaml", text.replacing("false", with: "true"))
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }

  // The day in a name says through when the exports are complete, however late the pattern asks.
  @Test(arguments: [true, false]) func `a pattern that names the day later dates what was read`(
    isRenamed: Bool
  ) throws {
    let shop = try Shop(receipts: "in/*.ndjson")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    func dated(_ shop: Shop) throws {
      try shop.folder.write(
        "pipeline.yaml", pipeline.replacing("in/*.ndjson", with: "in/t_{date}.ndjson"))
    }
    let name = isRenamed ? "in/all.ndjson" : "in/t_2021-02-09.ndjson"
    try shop.folder.write(name, Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    let complete =
      "SELECT ifnull(complete_through_date, 'never') FROM audit_run ORDER BY run_id DESC"
    #expect(try shop.rows(complete).first == "never")
    if isRenamed {
      try FileManager.default.moveItem(
        atPath: shop.folder.path(name), toPath: shop.folder.path("in/t_2021-02-09.ndjson"))
    }
    try dated(shop)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows(complete).first == "2021-02-08")
    let fresh = try Shop()
    try dated(fresh)
    try fresh.folder.write("in/t_2021-02-09.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try fresh.run("paidline", "run").status == 0)
    #expect(try shop.contentHash() == fresh.contentHash())
    #expect(try shop.run("paidline", "run", "-v").errors.contains("nothing to do"))
    if !isRenamed {
      try shop.folder.write("pipeline.yaml", pipeline)
      #expect(try shop.run("paidline", "run").status == 0)
      #expect(try shop.rows(complete).first == "never")
    }
  }

  @Test func `an entry with keys is told to get one key more, not to be written anew`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [{files: "in/*.ndjson", keys: {customer_id: uid}}]
      customer_key_file: customer.key
      """)
    var ending = Ending(status: 1, output: "", errors: "")
    for id in [1001, 1002] {
      try shop.folder.write(
        "in/all.ndjson",
        Export.purchase(id, day: "2021-02-01").replacing("customer_id", with: "uid"))
      ending = try shop.run("paidline", "run")
      #expect(ending.status == 0, "\(ending.errors)")
    }
    #expect(
      ending.errors.contains(
        #"add replaces: true to the entry of inputs.receipts with files: "in/*.ndjson""#),
      "\(ending.errors)")
  }

  @Test(arguments: [
    (
      "exports", "format: revenuecat_export",
      "product_identifier,store_transaction_id,original_store_transaction_id,start_time,end_time,"
        + "store,updated_at\npro,1001,1001,2024-03-02 10:00:00,2024-04-02 10:00:00,app_store,"
        + "2024-03-09 10:00:00\n"
    ),
    ("receipts", "keys: {customer_id: customer_id}", Export.purchase(1001, day: "2024-03-09")),
  ])
  func `complete_through written after the first run dates what was read before`(
    _ list: String, _ settings: String, _ text: String
  ) throws {
    let shop = try Shop()
    func run(_ more: String) throws -> [String] {
      try shop.folder.write(
        "pipeline.yaml",
        """
        state: var/state.db
        warehouse: out/warehouse.db
        inputs:
          \(list): [{files: "in/all.txt", \(settings), replaces: true\(more)}]
        customer_key_file: customer.key
        """)
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 0, "\(ending.errors)")
      return try shop.rows(
        "SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1")
    }
    try shop.folder.write("in/all.txt", text)
    #expect(try run("") == ["NULL"])
    #expect(try run(", complete_through: received_at") == ["2024-03-08"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
    #expect(try run("") == ["NULL"])
  }
}
