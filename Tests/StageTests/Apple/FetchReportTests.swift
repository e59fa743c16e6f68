internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline-fetch reports` with a local replacement of App Store Connect.
struct FetchReportTests {
  /// A store whose section `fetch` has settings for reports.
  private static func store(_ more: String = "") throws -> PlayedStore {
    let store = try PlayedStore()
    try store.writePipeline([
      "attempts: 3",
      "reports: {key_id: 2X9R4HXF34, private_key_file: AuthKey.p8, "
        + "output: \"apple/{report}-{date}.txt.gz\", url: \"\(store.address)\"\(more)}",
    ])
    return store
  }

  private static func fetch(
    _ store: PlayedStore, _ from: String, _ through: String, _ more: String...
  )
    throws -> Ending
  {
    try store.shop.run(
      "paidline-fetch",
      arguments: [
        "reports", store.shop.pipeline, "--from", from, "--through", through,
      ] + more)
  }

  @Test func `Sales and Subscriber reports come day by day, in the version that Apple wants`()
    throws
  {
    let store = try Self.store()
    let ending = try Self.fetch(
      store, "2024-05-01", "2024-05-02", "--vendor", "80012345", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("\"written\": 4"))
    #expect(
      try store.asked() == [
        "report SALES SUMMARY DAILY 2024-05-01 80012345 1_0",
        "report SALES SUMMARY DAILY 2024-05-02 80012345 1_0",
        "report SUBSCRIBER DETAILED DAILY 2024-05-01 80012345 1_3",
        "report SUBSCRIBER DETAILED DAILY 2024-05-01 80012345 1_4",
        "report SUBSCRIBER DETAILED DAILY 2024-05-02 80012345 1_4",
      ])
    #expect(
      try store.shop.folder.names("apple").sorted() == [
        "sales-2024-05-01.txt.gz", "sales-2024-05-02.txt.gz", "subscriber-2024-05-01.txt.gz",
        "subscriber-2024-05-02.txt.gz",
      ])
    let text = gunzip(try store.shop.folder.bytes("apple/sales-2024-05-02.txt.gz"))
    #expect(String(decoding: text, as: UTF8.self) == "Event Date\tUnits\n2024-05-02\t1\n")
    // Reports already on disk are not fetched again, except with --again.
    let again = try Self.fetch(store, "2024-05-01", "2024-05-02", "--vendor", "80012345")
    #expect(again.status == 0)
    #expect(try store.asked().count == 5)
    let anew = try Self.fetch(
      store, "2024-05-01", "2024-05-01", "--vendor", "80012345", "--report", "sales", "--again")
    #expect(anew.status == 0)
    #expect(try store.asked().count == 6)
  }

  @Test func `days without sales leave a header, days to come nothing, failures are waited out`()
    throws
  {
    let store = try Self.store(", vendor_number: \"80012345\"")
    let quiet = try Self.fetch(store, "2024-05-19", "2024-05-20", "--report", "sales", "--json")
    #expect(quiet.status == 0)
    #expect(quiet.output.contains("\"empty\": 1") && quiet.output.contains("\"missing\": 1"))
    #expect(try store.shop.folder.names("apple") == ["sales-2024-05-19.txt.gz"])
    let nothing = gunzip(try store.shop.folder.bytes("apple/sales-2024-05-19.txt.gz"))
    #expect(
      String(decoding: nothing, as: UTF8.self)
        == "SKU\tProduct Type Identifier\tUnits\tNothing on 2024-05-19\n")
    let busy = try Self.fetch(store, "2024-05-28", "2024-05-28", "--report", "sales")
    #expect(busy.status == 0)
    #expect(try store.asked().suffix(3).allSatisfy { $0.hasSuffix("2024-05-28 80012345 1_0") })
    #expect(store.shop.folder.has("apple/sales-2024-05-28.txt.gz"))
  }

  @Test func `settlements come by fiscal month and region, and other reports are kept`() throws {
    let store = try Self.store(", vendor_number: \"80012345\"")
    // The fiscal year begins in October: December 2023 is its third month, April 2024 the seventh.
    let ending = try Self.fetch(
      store, "2023-12-15", "2024-06-02", "--report", "finance_detail", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("\"written\": 6") && ending.output.contains("\"missing\": 1"))
    #expect(
      try store.asked()
        == [
          "2024-03", "2024-04", "2024-05", "2024-06", "2024-07", "2024-08", "2024-09",
        ].map { "report FINANCE_DETAIL \($0) Z1 80012345" })
    #expect(
      try store.shop.folder.names("apple").sorted()
        == [
          "2023-12", "2024-01", "2024-02", "2024-03", "2024-04", "2024-05",
        ].map { "finance_detail-\($0)-01.txt.gz" })
    let regions = try Self.fetch(
      store, "2024-05-03", "2024-05-03", "--report", "finance_detail", "--region", "US",
      "--region", "EU", "--report", "subscription")
    #expect(regions.status == 0, "\(regions.errors)")
    #expect(
      try store.asked().suffix(3) == [
        "report FINANCE_DETAIL 2024-08 US 80012345", "report FINANCE_DETAIL 2024-08 EU 80012345",
        "report SUBSCRIPTION SUMMARY DAILY 2024-05-03 80012345 1_3",
      ])
    #expect(store.shop.folder.has("apple/finance_detail_US-2024-05-01.txt.gz"))
    #expect(store.shop.folder.has("apple/subscription-2024-05-03.txt.gz"))
    let odd = try Self.fetch(
      store, "2024-05-03", "2024-05-03", "--report", "financial", "--region", "us/..")
    #expect(odd.status == 64)
  }

  @Test func `a wrong vendor, a strange key and a missing section say what to mend`() throws {
    let store = try Self.store(", vendor_number: \"80012345\"")
    let vendor = try Self.fetch(store, "2024-05-29", "2024-05-29", "--report", "sales")
    #expect(vendor.status == 65 && vendor.errors.contains("vendor number 80012345"))
    try store.shop.folder.write("AuthKey.p8", "no key")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: store.shop.folder.path("AuthKey.p8"))
    #expect(try Self.fetch(store, "2024-05-01", "2024-05-01").status == 78)
    let plain = try PlayedStore()
    let missing = try Self.fetch(plain, "2024-05-01", "2024-05-01")
    #expect(missing.status == 78 && missing.errors.contains("expected a section fetch.reports"))
    let backwards = try Self.fetch(store, "2024-05-02", "2024-05-01")
    #expect(backwards.status == 64)
  }
}
