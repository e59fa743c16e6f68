internal import Foundation

/// Finds the signed payloads in a text with tokens.
enum SignedText {
  /// The text with each token replaced by its payload, also within payloads.
  ///
  /// Signatures and certificates differ each time a store is created.
  static func payloads(_ text: [UInt8]) -> String {
    var result = ""
    var rest = Substring(String(decoding: text, as: UTF8.self))
    while let start = rest.range(of: "eyJ") {
      result += rest[..<start.lowerBound]
      let token = rest[start.lowerBound...].prefix { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
      }
      rest = rest[token.endIndex...]
      let parts = token.split(separator: ".")
      guard parts.count == 3 else {
        result += token
        continue
      }
      let padding = String(repeating: "=", count: (4 - parts[1].count % 4) % 4)
      let base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
      result += payloads(Array(Data(base64Encoded: String(base64 + padding)) ?? Data()))
    }
    return result + rest
  }
}
