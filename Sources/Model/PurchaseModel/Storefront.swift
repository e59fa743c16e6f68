internal import Amounts

/// An App Store storefront by its ISO 3166-1 alpha-3 code, such as `USA`, packed into four bytes.
public struct Storefront: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The three letters as big-endian bytes, so that numeric order is alphabetic order.
  public let rawValue: UInt32

  /// Rebuilds a storefront from a stored ``rawValue``.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Reads the alpha-3 or alpha-2 code of a country, in upper or lower case, or its English name.
  ///
  /// `nil` for any other text, such as `nan` or `EUR`. All countries of ISO 3166 are known, also
  /// those without a storefront.
  public init?(_ letters: Span<UInt8>) {
    if let code = PackedLetters.read(letters, count: 3) {
      guard let known = CountryCodes.alpha3(code) else { return nil }
      rawValue = known
      return
    }
    if letters.count > 3, letters.count < 64 {
      let text = String(decoding: letters.indices.map { letters[$0] }, as: UTF8.self)
      guard let code = CountryNames.alpha2(of: text).map({ Array($0.utf8) }),
        let alpha2 = PackedLetters.read(code.span, count: 2),
        let alpha3 = CountryCodes.alpha3(ofPackedAlpha2: alpha2)
      else { return nil }
      rawValue = alpha3
      return
    }
    guard let alpha2 = PackedLetters.read(letters, count: 2),
      let alpha3 = CountryCodes.alpha3(ofPackedAlpha2: alpha2)
    else { return nil }
    rawValue = alpha3
  }

  /// Reads a code from a string; see ``init(_:)-(Span<UInt8>)``.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// The alpha-3 code in capital letters.
  public var code: String { PackedLetters.text(rawValue) }

  /// Orders storefronts alphabetically.
  public static func < (left: Storefront, right: Storefront) -> Bool {
    left.rawValue < right.rawValue
  }
}
