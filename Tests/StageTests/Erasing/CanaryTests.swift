internal import Foundation
internal import TestSupport
internal import Testing

/// Personal data stay in the private database: the test searches all written files for strings that
/// occur only in the input.
struct CanaryTests {
  private static let customer = "canary-customer-7e1f"
  /// Fields of a receipt that identify a person or a device, or must be kept as secret as a
  /// password.
  private static let secrets = [
    "canary-token-app-account", "canary-password-shared-secret", "canary-latest-receipt-blob",
    "canary-device-verification",
  ]

  /// A valid record, a rejected record, a rejected row and a rejected price report.
  private static let export: String = {
    let good = Export.purchase(1001, day: "2021-01-05", customer: customer)
      .replacingOccurrences(
        of: #""quantity":"1""#,
        with: #""quantity":"1","app_account_token":"\#(secrets[0])""#
      )
      .replacingOccurrences(
        of: #""response":{"#,
        with: #""password":"\#(secrets[1])","response":{"latest_receipt":"\#(secrets[2])","#
          + #""device_verification":"\#(secrets[3])","#)
    return [
      good, good.replacingOccurrences(of: "\"status\":0", with: "\"status\":21003"),
      good.replacingOccurrences(of: "\"1001\"", with: "\"1002\"")
        .replacingOccurrences(of: "2021-01-05 10:00:00", with: "canary-date"),
      good.replacingOccurrences(of: "\"9.99\"", with: "\"canary-price\""), "{\"\(customer)\": \n",
      "\"\(customer)\"\n",
    ].joined()
  }()

  /// Finds the files below a folder that contain any of the strings; skips the input and state.db.
  private func leaks(_ shop: Shop, except: [String]) throws -> [String] {
    var leaks: [String] = []
    let files = FileManager.default.enumerator(atPath: shop.folder.path)?.compactMap {
      $0 as? String
    }
    for file in (files ?? []).sorted() where !except.contains(where: { file.hasPrefix($0) }) {
      guard let data = FileManager.default.contents(atPath: shop.folder.path(file)) else {
        continue
      }
      if data.range(of: Data("canary".utf8)) != nil { leaks.append(file) }
    }
    return leaks
  }

  @Test(arguments: ["human", "json"])
  func `no database for analysts, log, metric, page or message names a customer`(format: String)
    throws
  {
    let shop = try Shop(
      gates: "{rejected_share: {share: 0.1, at_least: 1}}",
      more: "metrics: m/paidline.prom\nreport: m/report.html")
    try shop.folder.write("in/a.ndjson", Self.export)
    var said = ""
    for more in [[], ["--accept=rejected_share,no_usable_record"], ["--full-refresh"]] {
      let ending = try shop.run(
        arguments: [
          "run", shop.pipeline, "--log-level", "debug", "--log-format", format, "--json",
        ] + more)
      #expect([0, 65].contains(ending.status), "\(ending.errors)")
      said += ending.output + ending.errors
    }
    for command in ["status", "check"] {
      let ending = try shop.run("paidline", command, shop.pipeline)
      said += ending.output + ending.errors
    }
    #expect(!said.contains("canary"), "\(said)")
    #expect(try leaks(shop, except: ["in/", "var/state.db"]) == [])
    let state = try #require(FileManager.default.contents(atPath: shop.folder.path("var/state.db")))
    #expect(state.range(of: Data(Self.customer.utf8)) != nil, "the search finds what is there")
    for secret in Self.secrets {
      #expect(state.range(of: Data(secret.utf8)) == nil, "not even the private database: \(secret)")
    }
  }
}
