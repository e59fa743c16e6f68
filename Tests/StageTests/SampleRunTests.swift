internal import Diagnostics
internal import Foundation
internal import TestSupport
internal import Testing

/// The checked-in sample store, with the real executables.
struct SampleRunTests {
  /// The root folder of the repository.
  private static let repository = Checkout.folder.path

  /// The folder of the checked-in exports.
  static let sampleData = "\(repository)/SampleData"

  /// One run of `Pipelines/sample.yaml`, with databases in a separate folder.
  static let sample = Result { try run() }

  private static func run() throws -> (shop: Shop, ending: Ending) {
    let shop = try Shop()
    let pipeline = try String(
      contentsOfFile: "\(repository)/Pipelines/sample.yaml", encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("../var/sample/state.db", with: "var/state.db")
        .replacing("../var/sample/", with: "out/")
        .replacing("../SampleData", with: "\(repository)/SampleData"))
    return (shop, try shop.run("paidline", "run", "pipeline.yaml", "--table"))
  }

  @Test func `the revenue table of the sample is the one on record`() throws {
    let (_, ending) = try Self.sample.get()
    #expect(ending.status == 0)
    try Golden.compare(ending.output, with: "sample-table")
  }

  @Test func `the facts of the sample are the ones on record`() throws {
    let (shop, _) = try Self.sample.get()
    let revenue = try shop.rows(
      """
      SELECT transaction_id, product_id, purchased_at, period_kind, offer_id, quantity, currency,
        storefront, storefront_source, paid_milli, paid_low_milli, paid_high_milli, price_status,
        price_rule, voters, reversal_kind, reversed_at
      FROM revenue ORDER BY length(transaction_id), transaction_id
      """)
    let conversions = try shop.rows(
      """
      SELECT r.transaction_id, c.offer_kind, c.offer_periods, c.offer_paid_milli, c.status,
        c.converted_at, c.is_same_product, c.is_contiguous, c.days_to_convert
      FROM fct_conversion c JOIN fct_revenue r ON r.purchase_key = c.offer_purchase_key
      ORDER BY length(r.transaction_id), r.transaction_id
      """)
    let hash = try #require(try shop.contentHash())
    let lines = ["fct_revenue"] + revenue + ["fct_conversion"] + conversions + [hash, ""]
    try Golden.compare(lines.joined(separator: "\n"), with: "sample-facts")
  }

  @Test func `every rule decides at least one row`() throws {
    let (shop, _) = try Self.sample.get()
    let rules = try shop.rows("SELECT DISTINCT price_rule FROM fct_revenue ORDER BY 1")
    #expect(
      rules == [
        "catalogue_offer", "catalogue_price", "conflict", "customer_report", "free_offer",
        "free_trial", "previous_renewal", "price_history", "reported_with_purchase", "same_offer",
        "unresolved",
      ])
  }

  @Test func `every verdict, exclusion, reversal and reject reason occurs`() throws {
    let (shop, _) = try Self.sample.get()
    #expect(
      try shop.rows("SELECT DISTINCT verdict FROM price_evidence ORDER BY 1")
        == [
          "believed", "distrusted", "impossible_amount", "no_reference", "outlier", "outvoted",
          "unit_error",
        ])
    #expect(
      try shop.rows("SELECT DISTINCT reason FROM excluded_purchase ORDER BY 1")
        == ["family_shared", "foreign_bundle", "sandbox"])
    #expect(
      try shop.rows("SELECT DISTINCT reversal_kind FROM fct_revenue ORDER BY 1")
        == ["none", "refund", "upgrade"])
    let reasons = Set(try shop.rows("SELECT DISTINCT reason_code FROM rejected_record"))
    // The sample has neither signed transactions, nor Apple's reports, nor tables, nor prices in
    // other formats, nor forged receipts, hostile ids or records of the future.
    let elsewhere = [
      "token_", "report_", "table_", "price_unnamed_", "impossible_", "future_", "id_",
    ]
    let ofReceipts = RejectReason.allCases.filter { reason in
      !elsewhere.contains { reason.rawValue.hasPrefix($0) }
    }
    #expect(ofReceipts.filter { !reasons.contains($0.rawValue) } == [])
  }

  @Test(arguments: [
    "catalogue_offer", "catalogue_price", "conflict", "customer_report", "free_offer",
    "free_trial", "previous_renewal", "price_history", "reported_with_purchase", "same_offer",
    "unresolved",
  ])
  func `an explanation for each rule is the one on record`(_ rule: String) throws {
    let (shop, _) = try Self.sample.get()
    let id = try #require(
      try shop.rows(
        """
        SELECT transaction_id FROM fct_revenue WHERE price_rule = '\(rule)'
        ORDER BY length(transaction_id), transaction_id LIMIT 1
        """
      ).first)
    let ending = try shop.run("paidline", "explain", "pipeline.yaml", id)
    #expect(ending.status == 0)
    #expect(ending.output.contains("decided by \(rule)"))
    try Golden.compare(
      ending.output.replacing("\(Self.repository)/", with: ""), with: "explain-\(rule)")
  }

  @Test func `a purchase that is out of revenue is explained too`() throws {
    let (shop, _) = try Self.sample.get()
    let id = try #require(
      try shop.rows(
        """
        SELECT transaction_id FROM excluded_purchase WHERE reason = 'family_shared'
        ORDER BY length(transaction_id), transaction_id LIMIT 1
        """
      ).first)
    let ending = try shop.run("paidline", "explain", "pipeline.yaml", id)
    #expect(ending.output.hasPrefix("Transaction \(id) is not revenue: family_shared.\n"))
  }

  @Test func `a purchase key is explained like its transaction id, also one that check returns`()
    throws
  {
    let (shop, _) = try Self.sample.get()
    let check = try shop.run("paidline", "check", "pipeline.yaml", "--json")
    let tests = try #require(
      try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [[String: Any]])
    let conflicts = try #require(tests.first { $0["test"] as? String == "conflicting_sightings" })
    let query = try #require(conflicts["sql"] as? String)
    var named = try shop.rows(query)
    #expect(!named.isEmpty)
    named += try shop.rows("SELECT max(purchase_key) FROM fct_revenue")
    named += try shop.rows("SELECT max(purchase_key) FROM excluded_purchase")
    for key in named {
      let id = try #require(
        try shop.rows(
          """
          SELECT transaction_id FROM fct_revenue WHERE purchase_key = \(key)
          UNION ALL SELECT transaction_id FROM excluded_purchase WHERE purchase_key = \(key)
          """
        ).first)
      let ending = try shop.run("paidline", "explain", "pipeline.yaml", key)
      #expect(ending.status == 0 && ending.output.hasPrefix("Transaction \(id)"))
      #expect(ending == (try shop.run("paidline", "explain", "pipeline.yaml", id)))
    }
  }

  @Test func `the data tests find nothing wrong in the sample`() throws {
    let (shop, _) = try Self.sample.get()
    #expect(try shop.run("paidline", "check", "pipeline.yaml").status == 0)
  }
}

/// Expected texts, stored next to the tests.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// Compares a text with the stored text; with `RECORD_GOLDEN=1` stores it, and fails.
  static func compare(_ text: String, with name: String) throws {
    let file = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(name); review the difference and run again without RECORD_GOLDEN")
      return
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    for (line, (found, expected)) in zip(
      text.split(separator: "\n", omittingEmptySubsequences: false),
      recorded.split(separator: "\n", omittingEmptySubsequences: false)
    ).enumerated() where found != expected {
      Issue.record("\(name), line \(line + 1): \(found)\nis on record as \(expected)")
      return
    }
    #expect(text == recorded, "\(name) has more or fewer lines than the text on record")
  }
}
