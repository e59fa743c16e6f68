internal import Foundation
internal import TestSupport
internal import Testing

/// A day without an export between days with exports.
struct MissingDayTests {
  private func export(_ day: Int, to shop: Shop) throws {
    let date = "2021-02-" + (day < 10 ? "0" : "") + "\(day)"
    try shop.folder.write(
      "in/receipts-\(date).ndjson",
      Export.purchase(1000 + day, day: date, customer: "c-\(day)"))
  }

  private func completeThrough(_ shop: Shop) throws -> String? {
    try shop.rows("SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1").first
  }

  private static let warning = """
    paidline-ingest: warning: no receipts for 2021-02-04, though there are exports before and after.
    Add the missing exports, or wait: a missing day is treated as complete once an export \
    at least 7 days newer has been read.
    More: Docs/gates.md.

    """

  @Test func `warns once, and days count as complete without it after a week`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in [1, 2, 3, 5] { try export(day, to: shop) }
    #expect(
      try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: Self.warning))
    // The export of the 4th may still contain purchases of the 3rd.
    #expect(try completeThrough(shop) == "2021-02-02")
    for day in 6...10 {
      try export(day, to: shop)
      #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
      #expect(try completeThrough(shop) == "2021-02-02", "night \(day)")
    }
    #expect(
      try shop.rows("SELECT max(date_day) FROM revenue_daily WHERE is_complete = 1")
        == ["2021-02-02"])
    #expect(
      try shop.run("paidline", "status").output.contains(
        "Newest export  2021-02-10; no export for 2021-02-04\n"))
    try export(11, to: shop)
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try completeThrough(shop) == "2021-02-10")
    #expect(
      try shop.run("paidline", "status").output.contains("; complete through 2021-02-10;"))
    // A late export changes a complete day: a restatement.
    try export(4, to: shop)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT DISTINCT date_day FROM audit_restatement").first == "2021-02-04")
    #expect(!(try shop.run("paidline", "status").output.contains("no export for")))
  }

  @Test func `of a moment that is given, exports of later days complete nothing`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in 1...10 { try export(day, to: shop) }
    #expect(try shop.run("paidline", "run", "--as-of", "2021-02-05T12:00:00Z").status == 0)
    // With that as-of time, the export of the 5th is the last included export, so the 4th is
    // complete.
    #expect(try completeThrough(shop) == "2021-02-04")
    #expect(try shop.rows("SELECT max(date_day) FROM dim_date") == ["2021-02-05"])
    #expect(
      try shop.rows("SELECT max(date_day) FROM revenue_daily WHERE is_complete = 1")
        == ["2021-02-04"])
  }

  @Test func `the calendar reaches as far as exports cover, in a quiet week too`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in 1...3 { try export(day, to: shop) }
    // Exports of the 4th and 5th that repeat an earlier response.
    for day in 4...5 {
      try shop.folder.write(
        "in/receipts-2021-02-0\(day).ndjson",
        Export.purchase(1000 + day - 2, day: "2021-02-0\(day - 2)", customer: "c-\(day - 2)")
          + "\n")
    }
    #expect(try shop.run("paidline", "run").status == 0)
    let asOf = try shop.rows("SELECT substr(as_of, 1, 10) FROM audit_run")
    #expect(asOf == ["2021-02-03"])
    #expect(try completeThrough(shop) == "2021-02-04")
    #expect(try shop.rows("SELECT max(date_day) FROM dim_date") == ["2021-02-04"])
  }

  @Test func `a pipeline sets how long a missing day is waited for`() throws {
    let shop = try Shop(
      gates: "{missing_export_day: {severity: off, complete_after_days: 2}}",
      receipts: "in/receipts-{date}.ndjson")
    for day in [1, 2, 3, 5] { try export(day, to: shop) }
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try completeThrough(shop) == "2021-02-02")
    try export(6, to: shop)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try completeThrough(shop) == "2021-02-05")
  }

  @Test func `a missing day that stops the run does so until it has come or is over`() throws {
    let shop = try Shop(
      gates: "{missing_export_day: stop}", receipts: "in/receipts-{date}.ndjson")
    for day in [1, 2, 3, 5] { try export(day, to: shop) }
    for _ in 1...2 {
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 65)
      #expect(
        ending.errors.contains(
          "If these data are right, accept them for one run with --accept missing_export_day."))
    }
    #expect(try shop.run("paidline", "run", "--accept", "missing_export_day").status == 0)
    try export(4, to: shop)
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
  }

  @Test func `many missing days are one message`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in 1...20 where ![4, 9, 10].contains(day) { try export(day, to: shop) }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.hasPrefix(
        "paidline-ingest: warning: no receipts for 2021-02-04, 2021-02-09 to 2021-02-10, though "
          + "there "
          + "are exports before and after.\n"), "\(ending.errors)")
    #expect(ending.errors.split(separator: "\n").count == 3)
    #expect(
      try shop.rows("SELECT severity, subject FROM audit_gate ORDER BY subject")
        == ["warn|receipts 2021-02-04", "warn|receipts 2021-02-09 to 2021-02-10"])
  }

  @Test func `weekly exports miss no day`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in [1, 8, 15, 22] { try export(day, to: shop) }
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
  }
}
