/// The app's shared secret, which Apple requires for receipts that contain subscriptions.
///
/// Its description and reflection are hidden, so that messages, log lines and dumps cannot show it.
/// Only ``requestBody(receipt:secret:)`` uses its text.
struct AppSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: [UInt8]

  /// Reads a secret as App Store Connect displays it; removes surrounding blanks.
  ///
  /// Returns `nil` if it is empty, or has a character other than letters, digits, `-`, `_` and `.`.
  /// Apple's secrets are 32 hexadecimal digits.
  init?(_ text: [UInt8]) {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    var bytes = text[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    let isFine: (UInt8) -> Bool = { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    guard (1...256).contains(bytes.count), bytes.allSatisfy(isFine) else { return nil }
    self.bytes = Array(bytes)
  }

  var description: String { "(secret)" }
  var debugDescription: String { "(secret)" }
  var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Returns true if a text contains the secret.
  ///
  /// A response that contains the secret is not stored.
  func occurs(in text: [UInt8]) -> Bool {
    guard let first = bytes.first, text.count >= bytes.count else { return false }
    var index = 0
    while index <= text.count - bytes.count {
      if text[index] == first, text[index..<(index + bytes.count)].elementsEqual(bytes) {
        return true
      }
      index += 1
    }
    return false
  }

  /// Creates the body of a request to Apple about one receipt.
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64.
  ///   - secret: The app's shared secret; `nil` if there is none.
  /// - Returns: The JSON text; it requests the whole history.
  static func requestBody(receipt: [UInt8], secret: AppSecret?) -> [UInt8] {
    var body = Array("{\"receipt-data\":\"".utf8)
    body += receipt
    body += Array("\"".utf8)
    if let secret {
      body += Array(",\"password\":\"".utf8)
      body += secret.bytes
      body += Array("\"".utf8)
    }
    body += Array("}".utf8)
    return body
  }
}
