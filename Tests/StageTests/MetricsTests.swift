internal import Foundation
internal import TestSupport
internal import Testing

/// The metrics for monitoring.
struct MetricsTests {
  private func shop() throws -> Shop {
    let shop = try Shop(
      gates: "{rejected_share: {at_least: 1}, empty_file: stop}",
      receipts: "in/receipts-{date}.ndjson*", more: "metrics: metrics/shop \\\"a\\\".prom")
    try shop.folder.write(
      "in/receipts-2021-01-05.ndjson",
      Export.purchase(1001, day: "2021-01-05", customer: "canary-customer") + "{broken\n")
    return shop
  }

  private let name = "metrics/shop \\\"a\\\".prom"

  private func metrics(_ shop: Shop) throws -> PrometheusText {
    let text = String(decoding: try shop.folder.bytes(name), as: UTF8.self)
    let metrics = PrometheusText(text)
    #expect(metrics.faults == [])
    for canary in ["canary", "\"pro\"", "9.99", shop.folder.path] {
      #expect(!text.contains(canary), "personal data, amounts and places do not belong here")
    }
    return metrics
  }

  private func sample(_ metrics: PrometheusText, _ name: String, _ label: String = "") -> Double? {
    metrics["paidline_\(name){pipeline=\"shop \\\\\\\"a\\\\\\\"\"\(label)}"]
  }

  @Test func `a run tells how it went, and every series is there from the first on`() throws {
    let shop = try shop()
    let before = Date().timeIntervalSince1970 - 1
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65, "half is rejected")
    var metrics = try metrics(shop)
    #expect(sample(metrics, "last_exit_code") == 65)
    #expect(sample(metrics, "last_success_timestamp_seconds") == 0)
    #expect(try #require(sample(metrics, "last_completion_timestamp_seconds")) >= before)
    #expect(sample(metrics, "rejected", ",reason=\"invalid_json\"") == 1)
    #expect(sample(metrics, "rejected", ",reason=\"duplicate_key\"") == 0)
    #expect(sample(metrics, "input_files", ",state=\"held\"") == 1)
    #expect(sample(metrics, "facts") == 0)
    let series = Set(metrics.samples.keys)

    #expect(try shop.run("paidline", "run", shop.pipeline, "--accept=rejected_share").status == 0)
    metrics = try self.metrics(shop)
    #expect(Set(metrics.samples.keys) == series)
    #expect(sample(metrics, "last_exit_code") == 0)
    #expect(try #require(sample(metrics, "last_success_timestamp_seconds")) >= before)
    #expect(sample(metrics, "facts") == 1)
    #expect(sample(metrics, "facts_written") == 1)
    #expect(sample(metrics, "unknown_price_ratio") == 0)
    #expect(sample(metrics, "input_files", ",state=\"used\"") == 1)
    // 2021-01-05T10:00:00Z, and the midnight before.
    #expect(sample(metrics, "newest_purchase_timestamp_seconds") == 1_609_840_800)
    #expect(sample(metrics, "newest_export_timestamp_seconds") == 1_609_804_800)
    #expect(try #require(sample(metrics, "run_duration_seconds", ",stage=\"reconstruct\"")) > 0)
    #expect(try #require(sample(metrics, "db_bytes", ",database=\"warehouse\"")) > 4096)
  }

  @Test func `the file is whole, readable by everyone, and replaced by each run`() throws {
    let shop = try shop()
    _ = try shop.run("paidline", "run", shop.pipeline, "--accept=rejected_share")
    let path = shop.folder.path(name)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    let identity = attributes[.systemFileNumber] as? Int
    try shop.folder.write(
      "in/receipts-2021-01-06.ndjson", Export.purchase(1002, day: "2021-01-06"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int != identity)
    #expect(try shop.folder.names("metrics").count == 1, "no draft stays behind")
    let after = try metrics(shop)
    #expect(sample(after, "lines_read") == 1)
    // Only the new purchase is written. The old purchase now has a second voter, but its row does
    // not change.
    #expect(sample(after, "facts_written") == 1)
    #expect(sample(after, "facts") == 2)
  }

  @Test func `after a failure the last success is kept, even when nothing can be read`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline, "--accept=rejected_share").status == 0)
    let success = sample(try metrics(shop), "last_success_timestamp_seconds")
    try shop.folder.write("in/receipts-2021-01-06.ndjson", "")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65)
    var failed = try metrics(shop)
    #expect(sample(failed, "last_exit_code") == 65)
    #expect(sample(failed, "last_success_timestamp_seconds") == success)
    #expect(sample(failed, "lines_read") == 0)
    #expect(sample(failed, "facts_written") == 0)
    #expect(sample(failed, "facts") == 1)
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: shop.folder.path("var/state.db" + suffix))
    }
    try shop.folder.write("var/state.db", "rubbish")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 78)
    failed = try metrics(shop)
    #expect(sample(failed, "last_exit_code") == 78)
    #expect(sample(failed, "last_success_timestamp_seconds") == success)
  }

  @Test func `metrics that cannot be written fail a run whose facts are published`() throws {
    let shop = try shop()
    try FileManager.default.createDirectory(
      atPath: shop.folder.path(name), withIntermediateDirectories: true)
    let ending = try shop.run("paidline", "run", shop.pipeline, "--accept=rejected_share")
    #expect(ending.status == 73)
    #expect(ending.errors.contains("the facts are published, but the metrics are not written"))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
    let clash = try Shop(more: "metrics: out/warehouse.db")
    let refused = try clash.run("paidline", "run", clash.pipeline)
    #expect(refused.status == 78)
    #expect(refused.errors.contains("metrics"))
  }
}
