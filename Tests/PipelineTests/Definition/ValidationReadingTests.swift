internal import CivilTime
internal import Diagnostics
internal import Foundation
@testable internal import Pipeline
internal import TestSupport
internal import Testing

/// The section `validate` of a pipeline.
struct ValidationReadingTests {
  private func read(_ section: String) throws(RunFailure) -> ValidationSettings? {
    try PipelineDefinition.read(
      path: "shop/nightly.yaml",
      text: """
        state: state.db
        warehouse: warehouse.db
        inputs: {receipts: [a.gz]}
        \(section)
        """
    ).validation
  }

  private func refusal(of section: String) -> String {
    do throws(RunFailure) {
      _ = try read(section)
      return "none"
    } catch {
      #expect(error.status == .badConfiguration)
      return error.message
    }
  }

  private static let smallest = "validate:\n  receipts: raw.gz\n  output: out/v-{run}.gz\n"

  @Test func `without the section nothing is validated`() throws {
    #expect(try read("") == nil)
    #expect(try read("validate: null") == nil)
  }

  @Test func `the smallest section asks Apple, slowly`() throws {
    let settings = try #require(try read(Self.smallest))
    #expect(settings.receiptPatterns.map(\.text) == ["raw.gz"])
    #expect(settings.productionURL == "https://buy.itunes.apple.com/verifyReceipt")
    #expect(settings.sandboxURL == "https://sandbox.itunes.apple.com/verifyReceipt")
    #expect(settings.sharedSecretPath == nil && settings.rootCertificatePath == nil)
    #expect((settings.concurrency, settings.requestsPerSecond) == (8, 20))
    #expect(
      (settings.timeoutSeconds, settings.attempts, settings.firstWaitMilliseconds)
        == (30, 5, 1000))
  }

  @Test func `the example of the manual says what holds without it`() throws {
    let manual = Checkout.folder.appendingPathComponent("Docs/validating.md")
    let text = try String(contentsOf: manual, encoding: .utf8)
    let block = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first)
    let section = try #require(block.components(separatedBy: "```").first)
    let shown = try #require(try read(section))
    var usual = try #require(
      try read(
        """
        validate:
          receipts: ["../raw/raw-{date}.ndjson.gz"]
          output: ../exports/receipts/receipts-{date}-{run}.ndjson.gz
        """))
    usual.sharedSecretPath = "shop/shared-secret"
    #expect(shown == usual)
    // The recommended pattern must match the exports.
    let path = shown.output.path(number: 7, day: CivilDay(daysSinceEpoch: 18_687))
    #expect(path == "exports/receipts/receipts-2021-03-01-0007.ndjson.gz")
    let pattern = try #require(
      InputPattern("../exports/receipts/receipts-{date}-*.ndjson.gz", folder: "shop"))
    #expect(pattern.holds(place: path))
    let other = try #require(InputPattern("../exports/receipts/receipts-{date}.gz", folder: "shop"))
    #expect(!other.holds(place: path))
  }

  @Test func `an output needs a number of its own for each run`() {
    for output in ["v.gz", "{run}/v.gz", "{run}-{run}.gz", "{date}/{run}.gz", "{run}{date}{date}"] {
      #expect(
        refusal(of: "validate: {receipts: a, output: \"\(output)\"}")
          .hasPrefix("shop/nightly.yaml:4: expected validate.output to be a path whose file name"))
    }
    #expect(refusal(of: "validate: {output: \"{run}\"}").contains("validate.receipts"))
    #expect(refusal(of: "validate: {receipts: \"-\", output: \"{run}\"}").contains("of files"))
  }

  @Test func `numbers have limits, and unknown keys are refused`() {
    for key in [
      "concurrency: 0", "concurrency: 257", "requests_per_second: 0", "timeout_seconds: 601",
      "attempts: 21", "first_wait_milliseconds: 0", "concurrency: 1.5", "attempts: -1",
    ] {
      let name = key.prefix { $0 != ":" }
      #expect(
        refusal(of: Self.smallest + "  " + key)
          .contains("expected validate.\(name) to be a whole number from 1"))
    }
    #expect(refusal(of: Self.smallest + "  shared_secret: x").contains("unknown key"))
  }

  @Test func `a secret travels encrypted, or stays within the machine`() {
    for address in [
      "https://buy.itunes.apple.com/verifyReceipt", "http://127.0.0.1:8080/a", "http://localhost",
      "http://[::1]:80/a", "https://example.com:65535",
    ] {
      #expect(ValidationSettings.checkedAddress(address) == address)
    }
    for address in [
      "http://example.com", "http://127.0.0.1.example.com/", "http://localhost@example.com/",
      "https://user:word@example.com/", "ftp://localhost/", "https://", "https:///a", "http://:80",
      "http://localhost:65536", "https://example.com:0/", "http://[::1]:x", "https://a:1:2",
      "https://a b", "", "localhost", "https://x#y", "http://localhost.example.com",
    ] {
      #expect(ValidationSettings.checkedAddress(address) == nil, "\(address)")
    }
  }
}
