internal import TestSupport
internal import Testing

/// Exports of services from which the owner left out columns.
struct LackingColumnTests {
  private static let columns = [
    "rc_last_seen_app_user_id_alias": "c-1", "product_identifier": "pro",
    "store_transaction_id": "1001", "original_store_transaction_id": "1001",
    "start_time": "2024-03-02 10:00:00", "end_time": "2024-04-02 10:00:00", "store": "app_store",
    "is_trial_period": "false", "is_sandbox": "false", "ownership_type": "PURCHASED",
    "refunded_at": "", "purchased_currency": "USD", "purchase_price_in_purchased_currency": "9.99",
  ]

  /// The table without some columns.
  private static func table(_ id: Int, without lacking: String...) -> String {
    let kept = columns.keys.sorted().filter { !lacking.contains($0) }
    let row = kept.map { $0.contains("transaction_id") ? "\(id)" : columns[$0] ?? "" }
    return "\(kept.joined(separator: ","))\n\(row.joined(separator: ","))\n"
  }

  @Test func `the first run tells once what cannot be known`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write(
      "rc/a.csv", Self.table(1001, without: "is_sandbox", "ownership_type", "refunded_at"))
    try shop.folder.write(
      "rc/b.csv", Self.table(1002, without: "is_sandbox", "ownership_type", "refunded_at"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "2 files of rc/*.csv, rc/a.csv the first, have no is_sandbox, ownership_type, refunded_at, "
          + "so test purchases count as revenue; purchases of family members count as paid; "
          + "refunds are not known, and net revenue is too high. Export the columns too"),
      "\(ending.errors)")
    try shop.folder.write(
      "rc/c.csv", Self.table(1003, without: "is_sandbox", "ownership_type", "refunded_at"))
    #expect(try !shop.run("paidline", "run").errors.contains("is_sandbox"))
  }

  @Test func `a table with the columns has nothing to tell, whatever their case`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write("rc/a.csv", Self.table(1001))
    try shop.folder.write("rc/b.csv", Self.table(1002).replacing("is_sandbox", with: "IS_SANDBOX"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(!ending.errors.contains("Export the column"), "\(ending.errors)")
  }

  @Test(arguments: ["superwall", "qonversion", "adapty", "apphud", "revenuecat"])
  func `the exports of the services lack nothing`(_ service: String) throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample",
      arguments: [".", "--service", service, "--customers", "20", "--days", "60", "--seed", "7"])
    try #require(made.status == 0, "\(made.errors)")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!ending.errors.contains("Export the column"), "\(ending.errors)")
  }
}
