internal import Diagnostics

/// The `fetch.reports` section: Sales and Trends from App Store Connect.
package struct AppleReportSettings: Hashable, Sendable {
  /// The key for App Store Connect, which is not the key of the App Store Server API.
  package var key: ServerKeySettings
  /// The vendor number of Sales and Trends; `nil` if it must be given on the command line.
  package var vendorNumber: String?
  /// The path pattern of the files to which fetched reports are written.
  package var output: AppleReportPath
  /// The URL of App Store Connect.
  package var url: String
}

/// A path pattern for fetched reports: `{report}` is the kind of report, `{date}` is the day.
///
/// Example: `apple/{report}-{date}.txt.gz` → `apple/sales-2024-05-01.txt.gz`.
package struct AppleReportPath: Hashable, Sendable {
  /// The pattern; its path is absolute, or relative to the working directory.
  let pattern: String

  /// Reads a pattern; `nil` if its file name does not contain both `{report}` and `{date}`.
  init?(_ pattern: String) {
    let name = FilePaths.name(of: pattern)
    guard name.contains("{report}"), name.contains("{date}"), FetchSettings.isOneLine(pattern)
    else { return nil }
    self.pattern = pattern
  }

  /// Returns the path for a report: replaces `{report}` by the kind and `{date}` by the day.
  package func path(kind: String, day: String) -> String {
    pattern.replacing("{report}", with: kind).replacing("{date}", with: day)
  }
}

extension AppleReportSettings {
  private static let keys = [
    "issuer_id", "key_id", "private_key_file", "vendor_number", "output", "url",
  ]
  /// The expected form of a vendor number, for messages.
  package static let vendorText = "the vendor number of Sales and Trends, six to twelve digits"

  /// Reads and checks the section `fetch.reports`; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - issuerID: The issuer id of `fetch`, used if `fetch.reports` has no issuer id.
  /// - Throws: ``RunFailure`` with status 78, file and line for a wrong setting.
  static func read(_ fetch: SettingsMapping, issuerID: String?, folder: String)
    throws(RunFailure) -> AppleReportSettings?
  {
    guard let given = try fetch.mapping("reports", known: keys) else { return nil }
    return AppleReportSettings(
      key: try ServerKeySettings.read(given, of: fetch, issuerID: issuerID, folder: folder),
      vendorNumber: try given.value("vendor_number", expected: vendorText, read: vendorNumber),
      output: try given.requiredValue(
        "output", expected: "a path whose file name holds {report} and {date}"
      ) { AppleReportPath(FilePaths.resolve($0, in: folder)) },
      url: try FetchSettings.address(given, "url", "https://api.appstoreconnect.apple.com"))
  }

  /// Reads a vendor number of six to twelve digits; `nil` for any other text.
  package static func vendorNumber(_ text: String) -> String? {
    let isFine = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isFine && (6...12).contains(text.utf8.count) ? text : nil
  }
}
