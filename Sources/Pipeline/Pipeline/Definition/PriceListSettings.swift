internal import Diagnostics

/// The `fetch.prices` section: the owner's price list from App Store Connect.
package struct PriceListSettings: Hashable, Sendable {
  /// The key for App Store Connect.
  package var key: ServerKeySettings
  /// The path of the catalogue file to which the price list is written.
  package var output: String
  /// The path pattern of the exports that archive App Store Connect's responses.
  package var archive: ExportPath
  package var url: String
  /// The largest number of requests per second.
  package var requestsPerSecond: Int
}

extension PriceListSettings {
  private static let keys = [
    "issuer_id", "key_id", "private_key_file", "output", "archive", "url", "requests_per_second",
  ]

  /// Reads and checks the section `fetch.prices`; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - issuerID: The issuer id of `fetch`, used if `fetch.prices` has no issuer id.
  /// - Throws: ``RunFailure`` with status 78, file and line for a wrong setting.
  static func read(_ fetch: SettingsMapping, issuerID: String?, folder: String)
    throws(RunFailure) -> PriceListSettings?
  {
    guard let given = try fetch.mapping("prices", known: keys) else { return nil }
    return PriceListSettings(
      key: try ServerKeySettings.read(given, of: fetch, issuerID: issuerID, folder: folder),
      output: try given.requiredValue("output", expected: "the path of a catalogue to write") {
        FetchSettings.isOneLine($0) ? FilePaths.resolve($0, in: folder) : nil
      },
      archive: try given.requiredExportPath("archive", in: folder),
      url: try FetchSettings.address(given, "url", "https://api.appstoreconnect.apple.com"),
      requestsPerSecond: try given.number("requests_per_second", 1...10_000, otherwise: 2))
  }
}
