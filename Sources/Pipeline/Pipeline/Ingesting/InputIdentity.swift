internal import CivilTime
internal import Crypto
internal import PurchaseModel

/// The identity of a file: the hash of its content, and its kind.
///
/// Apple's reports of two days may have equal bytes: the report of a day without sales is only a
/// header, and the Subscription report has no column with a day. Therefore, if a report does not
/// contain its day, the hash includes the day in the file's name; see
/// ``FoundInput/hash(withDay:)``.
struct InputIdentity: Hashable, Sendable {
  var sha256: String
  var kind: InputFile.Kind
}

extension FoundInput {
  /// The possible identities of the file; its content decides between them.
  ///
  /// - Parameter hash: The SHA-256 of its bytes.
  /// - Returns: One identity; two for a report of Apple's, because its hash may include the day in
  ///   its name.
  func identities(ofBytes hash: String) -> [InputIdentity] {
    let hashes = kind == .appleReports ? [hash, self.hash(withDay: hash)] : [hash]
    return hashes.map { InputIdentity(sha256: $0, kind: kind) }
  }

  /// The hash of a report that does not state its day.
  ///
  /// Example: `sales-2024-05-12.txt` and `sales-2024-05-13.txt`, both only a header, have different
  /// hashes. A copy of the first, `old/sales-2024-05-12.txt`, has the same hash as the first.
  ///
  /// - Parameter hash: The SHA-256 of its bytes.
  /// - Returns: The SHA-256 of `hash` together with the day in the file's name.
  func hash(withDay hash: String) -> String {
    Hexadecimal.text(SHA256.hash(data: Array("\(hash) \(exportDay?.text ?? "no day")".utf8)))
  }
}
