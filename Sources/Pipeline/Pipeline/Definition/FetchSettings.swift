package import Diagnostics

/// The section `fetch` of a pipeline: the settings for requesting data from Apple.
package struct FetchSettings: Hashable, Sendable {
  /// The key for the App Store Server API; `nil` if only App Store Connect is used.
  package var key: ServerKeySettings?
  /// The bundle id of the app whose data is requested from the App Store Server API.
  ///
  /// `nil` if only App Store Connect is used and the section has no app.
  package var bundleID: String?
  /// The path pattern of exports with signed transactions; `nil` if they are not fetched.
  package var historyOutput: ExportPath?
  /// The path pattern of exports with notifications; `nil` if they are not fetched.
  package var notificationsOutput: ExportPath?
  /// The URL of the App Store Server API for production.
  package var productionURL: String
  /// The URL of the App Store Server API for the sandbox.
  package var sandboxURL: String
  /// The largest number of concurrent requests.
  package var concurrency: Int
  /// The largest number of requests per second.
  package var requestsPerSecond: Int
  /// The time limit for a response, in seconds.
  package var timeoutSeconds: Int
  /// The largest number of attempts for one page of a response.
  package var attempts: Int
  /// The wait before the second attempt, in milliseconds; it doubles after each failed attempt.
  package var firstWaitMilliseconds: Int
  /// The settings for fetching reports from App Store Connect; `nil` if none are fetched.
  package var reports: AppleReportSettings?
  /// The settings for fetching prices from App Store Connect; `nil` if none are fetched.
  package var prices: PriceListSettings?
}

/// A key from App Store Connect.
package struct ServerKeySettings: Hashable, Sendable {
  /// The issuer id: Apple's id of the team.
  package var issuerID: String
  /// Apple's id of the private key, as App Store Connect shows it.
  package var keyID: String
  /// The file with the private key; only its owner may have permission to read it.
  package var path: String
}

extension FetchSettings {
  private static let keys = [
    "issuer_id", "key_id", "private_key_file", "bundle_id", "output", "notifications_output",
    "production_url", "sandbox_url", "concurrency", "requests_per_second", "timeout_seconds",
    "attempts", "first_wait_milliseconds", "reports", "prices",
  ]

  /// Reads and checks the section `fetch`; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - bundleIDs: The owner's apps; empty for all apps.
  /// - Throws: ``RunFailure`` with status 78, file and line if the section is wrong.
  static func read(_ top: SettingsMapping, folder: String, bundleIDs: [String])
    throws(RunFailure) -> FetchSettings?
  {
    guard let given = try top.mapping("fetch", known: keys) else { return nil }
    let issuer = try given.value("issuer_id", expected: issuerText, read: appleID)
    let appText = "the app's bundle id"
    let bundleID = try given.value("bundle_id", expected: appText, read: appleID)
    if let bundleID, !bundleIDs.isEmpty, !bundleIDs.contains(bundleID) {
      throw given.failure(
        "bundle_id", expected: "one of bundle_ids, as other apps are ignored", found: bundleID)
    }
    var key: ServerKeySettings?
    if usesServer(given) {
      guard let issuer else { throw given.failure("issuer_id", expected: issuerText) }
      key = try ServerKeySettings.read(given, issuerID: issuer, folder: folder)
      guard bundleID != nil else { throw given.failure("bundle_id", expected: appText) }
    }
    let prices = try PriceListSettings.read(given, issuerID: issuer, folder: folder)
    guard prices == nil || bundleID != nil || !bundleIDs.isEmpty else {
      throw given.failure("bundle_id", expected: "\(appText), or bundle_ids to name the apps")
    }
    return FetchSettings(
      key: key, bundleID: bundleID,
      historyOutput: try given.exportPath("output", in: folder),
      notificationsOutput: try given.exportPath("notifications_output", in: folder),
      productionURL: try address(given, "production_url", "https://api.storekit.apple.com"),
      sandboxURL: try address(given, "sandbox_url", "https://api.storekit-sandbox.apple.com"),
      concurrency: try given.number("concurrency", 1...64, otherwise: 8),
      requestsPerSecond: try given.number("requests_per_second", 1...10_000, otherwise: 20),
      timeoutSeconds: try given.number("timeout_seconds", 1...600, otherwise: 30),
      attempts: try given.number("attempts", 1...20, otherwise: 5),
      firstWaitMilliseconds: try given.number(
        "first_wait_milliseconds", 1...60_000, otherwise: 1000),
      reports: try AppleReportSettings.read(given, issuerID: issuer, folder: folder),
      prices: prices)
  }

  /// Returns true if the section `fetch` uses the App Store Server API.
  ///
  /// A section with only `reports` or `prices` uses only App Store Connect, which has separate
  /// keys.
  private static func usesServer(_ given: SettingsMapping) -> Bool {
    let ofServer = ["key_id", "private_key_file", "output", "notifications_output"]
    return ofServer.contains(where: given.has) || !["reports", "prices"].contains(where: given.has)
  }

  /// Returns the key and the bundle id for the App Store Server API.
  ///
  /// - Throws: ``RunFailure`` with status 78 if the section uses only App Store Connect.
  package func server(of definition: PipelineDefinition)
    throws(RunFailure) -> (key: ServerKeySettings, bundleID: String)
  {
    guard let key, let bundleID else { throw Self.withoutKey(definition) }
    return (key, bundleID)
  }

  /// Creates the failure of a command for which the keys of the App Store Server API are missing.
  package static func withoutKey(_ definition: PipelineDefinition) -> RunFailure {
    RunFailure(
      .badConfiguration,
      "\(OneLine.text(definition.path)): expected a section fetch with the keys issuer_id, key_id, "
        + "private_key_file and bundle_id")
  }

  static func address(_ given: SettingsMapping, _ key: String, _ usual: String)
    throws(RunFailure) -> String
  {
    let address = try given.value(
      key, expected: ValidationSettings.addressText, read: ValidationSettings.checkedAddress)
    return address.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? usual
  }

  static let issuerText = "the issuer id that App Store Connect shows beside the keys"

  /// Reads one of Apple's ids: letters, digits, `-`, `_` and `.`; `nil` for any other text.
  static func appleID(_ text: String) -> String? {
    let isFine = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    return isFine && (1...255).contains(text.utf8.count) ? text : nil
  }

  /// Returns true if a path has no control characters, so that it fits on one line of a file.
  static func isOneLine(_ path: String) -> Bool { path.utf8.allSatisfy { $0 >= 0x20 } }
}

extension ServerKeySettings {
  /// Reads the key settings of a section that may leave its issuer id to `fetch`.
  static func read(
    _ given: SettingsMapping, of fetch: SettingsMapping, issuerID: String?, folder: String
  ) throws(RunFailure) -> ServerKeySettings {
    let own = try given.value(
      "issuer_id", expected: FetchSettings.issuerText, read: FetchSettings.appleID)
    guard let issuer = own ?? issuerID else {
      throw fetch.failure("issuer_id", expected: FetchSettings.issuerText)
    }
    return try read(given, issuerID: issuer, folder: folder)
  }

  /// Reads the key settings of a section.
  static func read(_ given: SettingsMapping, issuerID: String, folder: String)
    throws(RunFailure) -> ServerKeySettings
  {
    ServerKeySettings(
      issuerID: issuerID,
      keyID: try given.requiredValue(
        "key_id", expected: "the id of the key, as App Store Connect shows it",
        read: FetchSettings.appleID),
      path: FilePaths.resolve(
        try given.requiredText("private_key_file", expected: "the path of the private key"),
        in: folder))
  }
}
