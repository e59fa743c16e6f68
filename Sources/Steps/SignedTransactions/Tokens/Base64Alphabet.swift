/// One of the two alphabets of base64, decoded strictly (RFC 4648).
///
/// Refuses blanks, line ends and unused bits that are not zero, so that exactly one text is
/// accepted for each value.
public struct Base64Alphabet: Sendable {
  /// The alphabet of signed tokens (base64url): with `-` and `_`, without padding.
  static let token = Base64Alphabet(last: "-_", hasPadding: false)
  /// The usual alphabet, also for certificates: with `+` and `/`, padded to a multiple of four.
  public static let certificate = Base64Alphabet(last: "+/", hasPadding: true)

  /// The value of each byte as a letter, 0 to 63; `invalid` for a byte outside the alphabet.
  private let values: [UInt8]
  private let hasPadding: Bool
  private static let invalid: UInt8 = 0xFF

  private init(last: String, hasPadding: Bool) {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last
    var values = [UInt8](repeating: Self.invalid, count: 256)
    for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
    self.values = values
    self.hasPadding = hasPadding
  }

  /// Decodes a text and appends its bytes.
  ///
  /// Example: `Zm9v` → `foo`; `Zm9` is refused, because its last letter has unused bits that are
  /// not zero.
  ///
  /// - Parameters:
  ///   - text: The text in base64.
  ///   - bytes: Receives the decoded bytes; undefined if the text is refused.
  /// - Returns: True if the whole text is base64.
  public func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
    guard let end = endOfLetters(text) else { return false }
    var index = 0
    var seen: UInt8 = 0
    while index + 4 <= end {
      let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
      let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
      seen |= a | b | c | d
      bytes.append(a &<< 2 | b &>> 4 & 0x03)
      bytes.append(b &<< 4 | c &>> 2 & 0x0F)
      bytes.append(c &<< 6 | d & 0x3F)
      index += 4
    }
    guard index < end else { return seen < 0x40 }
    // Two letters encode one byte and four unused bits; three letters encode two bytes and two
    // unused bits.
    let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
    let c = index + 2 < end ? values[Int(text[index + 2])] : 0
    bytes.append(a &<< 2 | b &>> 4 & 0x03)
    if index + 2 < end { bytes.append(b &<< 4 | c &>> 2 & 0x0F) }
    let stray = index + 2 < end ? c & 0x03 : b & 0x0F
    return seen | a | b | c < 0x40 && stray == 0
  }

  /// The number of letters before the padding; `nil` if the length of the text is impossible.
  private func endOfLetters(_ text: Span<UInt8>) -> Int? {
    var end = text.count
    if hasPadding {
      guard end % 4 == 0 else { return nil }
      var padding = 0
      while padding < 2, end > 0, text[end - 1] == UInt8(ascii: "=") {
        padding += 1
        end -= 1
      }
    }
    return end % 4 == 1 ? nil : end
  }
}
