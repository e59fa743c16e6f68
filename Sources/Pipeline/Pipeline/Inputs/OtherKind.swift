internal import ExportReading

/// Recognizes files that are not exports, such as a README or the marker file of a finished job.
///
/// Only files without a usable record are examined, and only certain kinds are recognized. So a
/// renamed export is never ignored. Examples: `exports/_SUCCESS` → the marker file of a finished
/// job; `exports/july.json` without a receipt → `nil`.
enum OtherKind {
  /// Returns the kind of a file in words; `nil` for a file that may be an export.
  ///
  /// - Parameters:
  ///   - bytes: The size of the file in bytes.
  ///   - foreign: The format that was detected from its first bytes.
  /// - Returns: A noun phrase such as `a README`.
  static func words(_ path: String, bytes: Int64, foreign: ForeignContent?) -> String? {
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    let stem = parts.first { !$0.isEmpty } ?? ""
    let ending = parts.count > 1 ? parts[parts.count - 1] : ""
    if stem == "readme" { return "a README" }
    if stem == "license" { return "a license" }
    if marks.contains(where: plain.hasPrefix) { return "the marker file of a finished job" }
    if plain.contains("manifest") { return "a manifest" }
    if checksums.contains(String(ending)) { return "a checksum" }
    if bytes == 0, plain.hasSuffix("$folder$") || emptyNames.contains(plain) {
      return "an empty placeholder file of a cloud storage"
    }
    if case .document(let name) = foreign { return name }
    if foreign == .appleReport {
      return "a report of App Store Connect, which belongs under inputs.apple_reports"
    }
    return nil
  }

  private static let marks = ["_success", "_committed_", "_started_", "_metadata"]
  private static let checksums: Set<String> = ["md5", "sha1", "sha256", "crc"]
  private static let emptyNames: Set<String> = [".keep", ".gitkeep", ".placeholder"]
}
