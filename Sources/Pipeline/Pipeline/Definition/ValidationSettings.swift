package import CivilTime
internal import Diagnostics

/// The section `validate` of a pipeline: the settings for sending raw receipts to Apple.
package struct ValidationSettings: Hashable, Sendable {
  /// The path patterns of the files with raw receipts.
  package var receiptPatterns: [InputPattern]
  /// The path pattern of the exports to which Apple's responses are written.
  package var output: ExportPath
  /// The URL to which every receipt is sent first.
  package var productionURL: String
  /// The URL to which receipts of test purchases are sent.
  package var sandboxURL: String
  /// The file with the app's shared secret.
  ///
  /// `nil` if the secret is in the environment, or if the app has no secret.
  package var sharedSecretPath: String?
  /// The largest number of concurrent requests.
  package var concurrency: Int
  /// The largest number of requests per second.
  package var requestsPerSecond: Int
  /// The time limit for a response, in seconds.
  package var timeoutSeconds: Int
  /// The largest number of attempts for one receipt in a run.
  package var attempts: Int
  /// The wait before the second attempt, in milliseconds; it doubles after each failed attempt.
  package var firstWaitMilliseconds: Int
  /// The file with the root certificate that receipts must be signed under; `nil` if not set.
  ///
  /// Only `--local` uses the certificate.
  package var rootCertificatePath: String?
}

/// A path pattern for written exports: `{run}` is the number of the export.
///
/// The pattern may contain one `{date}`, which is the UTC day. Example:
/// `history-{date}-{run}.ndjson.gz` → `history-2024-05-01-0001.ndjson.gz`.
package struct ExportPath: Hashable, Sendable {
  /// The pattern; its path is absolute, or relative to the working directory.
  let pattern: String

  /// The expected form of a pattern, for messages.
  static let form = "a path whose file name holds {run}, and at most one {date}"

  /// Reads a pattern; `nil` unless its file name has exactly one `{run}` and at most one `{date}`.
  init?(_ pattern: String) {
    let name = FilePaths.name(of: pattern)
    let dates = pattern.components(of: "{date}") - 1
    guard name.components(of: "{run}") == 2, pattern.components(of: "{run}") == 2, dates <= 1,
      dates == name.components(of: "{date}") - 1, FetchSettings.isOneLine(pattern)
    else { return nil }
    self.pattern = pattern
  }

  /// Returns the path of an export: replaces `{run}` by the number and `{date}` by the day.
  ///
  /// The number has at least four digits: `0001`.
  package func path(number: Int, day: CivilDay) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return pattern.replacing("{run}", with: padded).replacing("{date}", with: day.text)
  }
}

extension SettingsMapping {
  /// The pattern of the exports under a key; `nil` if the key is missing or null.
  func exportPath(_ key: String, in folder: String) throws(RunFailure) -> ExportPath? {
    try value(key, expected: ExportPath.form) { ExportPath(FilePaths.resolve($0, in: folder)) }
  }

  /// The pattern of the exports under a required key.
  func requiredExportPath(_ key: String, in folder: String) throws(RunFailure) -> ExportPath {
    guard let path = try exportPath(key, in: folder) else {
      throw failure(key, expected: ExportPath.form)
    }
    return path
  }

  /// The whole number under a key, or `otherwise` if the key is missing or null.
  func number(_ key: String, _ range: ClosedRange<Int>, otherwise: Int) throws(RunFailure) -> Int {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return try value(key, expected: expected) { text in
      PipelineDefinition.wholeNumber(text).flatMap { range.contains($0) ? $0 : nil }
    } ?? otherwise
  }
}

extension String {
  /// The number of parts into which a separator divides the text.
  fileprivate func components(of separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

extension ValidationSettings {
  private static let keys = [
    "receipts", "output", "production_url", "sandbox_url", "shared_secret_file", "concurrency",
    "requests_per_second", "timeout_seconds", "attempts", "first_wait_milliseconds",
    "root_certificate",
  ]

  /// Reads and checks the `validate` section; `nil` if there is none.
  ///
  /// - Throws: ``RunFailure`` with status 78, file and line if the section is wrong.
  static func read(_ top: SettingsMapping, folder: String) throws(RunFailure)
    -> ValidationSettings?
  {
    guard let given = try top.mapping("validate", known: keys) else { return nil }
    let receipts = try PipelineDefinition.patterns(given, "receipts", folder: folder)
    guard !receipts.isEmpty, !receipts.contains(where: \.isStandardInput) else {
      throw given.failure("receipts", expected: "a list of at least one pattern of files")
    }
    let output = try given.requiredExportPath("output", in: folder)
    return ValidationSettings(
      receiptPatterns: receipts, output: output,
      productionURL: try address(given, "production_url")
        ?? "https://buy.itunes.apple.com/verifyReceipt",
      sandboxURL: try address(given, "sandbox_url")
        ?? "https://sandbox.itunes.apple.com/verifyReceipt",
      sharedSecretPath: try given.text("shared_secret_file", expected: "the path of a file")
        .map { FilePaths.resolve($0, in: folder) },
      concurrency: try given.number("concurrency", 1...256, otherwise: 8),
      requestsPerSecond: try given.number("requests_per_second", 1...10_000, otherwise: 20),
      timeoutSeconds: try given.number("timeout_seconds", 1...600, otherwise: 30),
      attempts: try given.number("attempts", 1...20, otherwise: 5),
      firstWaitMilliseconds: try given.number(
        "first_wait_milliseconds", 1...60_000, otherwise: 1000),
      rootCertificatePath: try given.text("root_certificate", expected: "the path of a certificate")
        .map { FilePaths.resolve($0, in: folder) })
  }

  /// The expected form of an address, for messages.
  static let addressText =
    "an https address without a user name, or an http address of localhost; a port is at most 65535"

  private static func address(_ given: SettingsMapping, _ key: String) throws(RunFailure)
    -> String?
  {
    try given.value(
      key, expected: addressText, read: checkedAddress)
  }

  /// Returns true if the port of a host, such as 8443 in `example.com:8443`, is a possible port;
  /// also true without a port.
  private static func hasPort(_ host: Substring) -> Bool {
    let name = host.hasPrefix("[") ? host.drop { $0 != "]" } : host
    guard let colon = name.firstIndex(of: ":") else { return true }
    return PipelineDefinition.wholeNumber(String(name[name.index(after: colon)...]))
      .map { (1...65_535).contains($0) } ?? false
  }

  /// Returns the address if it is safe for secrets and receipts; else `nil`.
  ///
  /// The connection must be encrypted, or end on this machine.
  package static func checkedAddress(_ text: String) -> String? {
    let isPlain = text.allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "@" && $0 != "#" }
    guard isPlain else { return nil }
    func host(after scheme: String) -> Substring? {
      guard text.hasPrefix(scheme) else { return nil }
      let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
      return host.isEmpty || host.hasPrefix(":") || !hasPort(host) ? nil : host
    }
    if host(after: "https://") != nil { return text }
    guard let host = host(after: "http://") else { return nil }
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(String(name)) ? text : nil
  }
}

extension PipelineDefinition {
  /// The database of Apple's responses to raw receipts, next to state.db.
  package var validationPath: String {
    FilePaths.join(FilePaths.folder(of: statePath), "validation.db")
  }
}
