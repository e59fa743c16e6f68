internal import Crypto
internal import Foundation

/// The key with which callers of the local App Store Server API must sign.
///
/// Each process creates a new key in the form of App Store Connect, and writes it to a file.
struct PlayedKey {
  static let id = "2X9R4HXF34"
  static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
  static let bundle = "com.example.shop"

  private let key = P256.Signing.PrivateKey()

  /// Writes the key in the form in which App Store Connect offers it for download; only the owner
  /// may read it.
  func write(to folder: URL) throws {
    let file = folder.appending(path: "AuthKey.p8")
    try Data((key.pemRepresentation + "\n").utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  /// Returns true if a header `Authorization` has a token that Apple would accept.
  ///
  /// Tokens for App Store Connect do not contain an app, and are valid for at most twenty minutes.
  func allows(_ header: String?, isForReports: Bool = false) -> Bool {
    guard let header, header.hasPrefix("Bearer ") else { return false }
    let parts = header.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Self.members(parts[0]), let claims = Self.members(parts[1]),
      let bytes = Self.bytes(parts[2]),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
    else { return false }
    let now = Date().timeIntervalSince1970
    guard let issued = claims["iat"] as? Double, let ends = claims["exp"] as? Double else {
      return false
    }
    return head["alg"] as? String == "ES256" && head["kid"] as? String == Self.id
      && head["typ"] as? String == "JWT" && claims["iss"] as? String == Self.issuer
      && claims["aud"] as? String == "appstoreconnect-v1"
      && claims["bid"] as? String == (isForReports ? nil : Self.bundle)
      && issued <= now + 60 && ends > now && ends - issued <= (isForReports ? 1200 : 3600)
      && key.publicKey.isValidSignature(
        signature, for: Data("\(parts[0]).\(parts[1])".utf8))
  }

  private static func members(_ text: Substring) -> [String: Any]? {
    bytes(text).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }

  private static func bytes(_ text: Substring) -> Data? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(
      base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
  }
}
