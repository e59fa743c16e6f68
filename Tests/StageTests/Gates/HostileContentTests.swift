internal import Foundation
internal import TestSupport
internal import Testing

/// Exports that an enemy wrote, and what the program makes of them.
struct HostileContentTests {
  private static let sound = (1...30).map { number in
    Export.purchase(1000 + number, day: "2021-02-01", customer: "c-\(number)")
  }

  private static func record(_ old: String, _ new: String) -> String {
    Export.purchase(2000, day: "2021-02-01", price: nil).replacing(old, with: new)
  }

  private static let long = String(repeating: "x", count: 100_000)

  @Test(arguments: [
    (record("\"c-1\"", "\"\(long)\""), "id_too_long, customer_id"),
    (record("\"pro\"", "\"\(long)\""), "id_too_long, latest_receipt_info[0].product_id"),
    (
      record("\"transaction_id\":\"2000\"", "\"transaction_id\":\"\(long)\""),
      "id_too_long, latest_receipt_info[0].transaction_id"
    ),
    (
      record("\"quantity\":\"1\"", "\"quantity\":\"18446744073709551617\""),
      "row_invalid_quantity"
    ),
    (
      record("\"purchase_date\":\"2021-02-01", "\"purchase_date\":\"0000-02-01"),
      "row_invalid_date"
    ),
    (
      record("\"received_at\":\"2021-02-01T10:00:10Z\"", "\"request_date_ms\":\"1e400\""),
      "wrong_type"
    ),
  ])
  func `a hostile value is a reject that does not repeat it, and its neighbours are used`(
    line: String, reject: String
  ) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.sound.joined() + line)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors.prefix(2000))")
    #expect(
      ending.errors.contains(reject) || reject == "wrong_type", "\(ending.errors.prefix(2000))")
    #expect(ending.errors.utf8.count < 2000)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue WHERE product_id = 'pro'")[0] >= "30")
  }

  /// A purchase of the year 9999 in a response of today is in the ledger, and no day table ends
  /// there.
  @Test func `a purchase of the year 9999 does not stretch the table of days`() throws {
    let shop = try Shop()
    let line = Self.record("\"purchase_date\":\"2021-02-01", "\"purchase_date\":\"9999-12-31")
    try shop.folder.write("in/a.ndjson", Self.sound.joined() + line)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM dim_date") == ["1"])
    #expect(try shop.rows("SELECT as_of FROM audit_run") == ["2021-02-01T10:00:10Z"])
  }

  /// An id may contain marks that turn the writing direction; control characters are rejects.
  @Test func `no answer lets an id turn the writing direction`() throws {
    let shop = try Shop(more: "metrics: out/m.prom")
    let marks = "\\u202e\\u200f\\u2066"
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1030).map { number in
        Export.purchase(number, day: "2021-02-01", customer: "c-\(number)\(marks)")
          .replacing("\"pro\"", with: "\"pro\(marks)\"")
      }.joined())
    let hostile: Set<Unicode.Scalar> = ["\u{202E}", "\u{200F}", "\u{2066}"]
    let answers = [
      ["run", "--table"], ["status"], ["status", "--all"], ["status", "--json"], ["check"],
      ["explain", "pipeline.yaml", "1001"], ["explain", "pipeline.yaml", "1001", "--json"],
      ["compare-policies"], ["backtest"], ["verify"], ["reconcile"],
      ["eligibility", "pipeline.yaml", "--customer", "c-1001\u{202E}\u{200F}\u{2066}"],
    ]
    for arguments in answers {
      let ending = try shop.run("paidline", arguments: arguments)
      let scalars = Set((ending.output + ending.errors).unicodeScalars)
      #expect(scalars.isDisjoint(with: hostile), "\(arguments)")
    }
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue WHERE product_id LIKE 'pro_%'") == ["30"])
    let metrics = String(decoding: try shop.folder.bytes("out/m.prom"), as: UTF8.self)
    #expect(Set(metrics.unicodeScalars).isDisjoint(with: hostile))
    #expect(PrometheusText(metrics).faults == [])
  }

  /// The label is the file's name; Prometheus' text form has escapes only for line ends, quotes and
  /// backslashes.
  @Test func `a metric says which marks of direction its file's name has`() throws {
    let shop = try Shop(more: #"metrics: "out/m\u202E.prom""#)
    try shop.folder.write("in/a.ndjson", Self.sound.joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    let metrics = String(decoding: try shop.folder.bytes("out/m\u{202E}.prom"), as: UTF8.self)
    #expect(metrics.contains(#"pipeline="m\\u{202e}""#))
    #expect(PrometheusText(metrics).faults == [])
  }

  @Test func `nothing that a run makes is open to others, whatever the umask`() throws {
    let shop = try Shop(more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", Self.sound.joined())
    let program = Shop.executables.appendingPathComponent("paidline").path
    let ending = try shop.run("/bin/sh", "-c", "umask 000; exec '\(program)' run")
    #expect(ending.status == 0, "\(ending.errors)")
    for (folder, mode) in [("var", 0o600), ("out", 0o640)] {
      for name in try shop.folder.names(folder) {
        let found =
          try FileManager.default.attributesOfItem(
            atPath: shop.folder.path("\(folder)/\(name)"))[.posixPermissions] as? Int
        // The lock is empty, and others of the group may wait for it.
        let most = name.hasSuffix(".lock") ? 0o640 : mode
        #expect((found ?? 0o777) & ~most == 0, "\(folder)/\(name): \(found ?? 0)")
      }
    }
  }
}
