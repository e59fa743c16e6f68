internal import Amounts
internal import Mustache

/// Escapes text for an HTML page, code point by code point.
///
/// Mustache's escaping compares whole characters, but a character may contain `<`: U+0600 combines
/// with the next character. A product id may be any text, so the page needs its own escaping.
struct PageText: MustacheContentType {
  /// The name of this content type in templates.
  static let name = "PAGE"

  func escapeText(_ text: String) -> String {
    guard text.utf8.contains(where: Self.isMarkup) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Returns true if a byte has a meaning in HTML.
  ///
  /// In UTF-8, these bytes never occur within another code point.
  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}

/// Formats figures for people.
enum FigureText {
  /// Formats a whole number with separators of thousands: `1,234,567`.
  static func count(_ number: Int64) -> String { grouped(String(number)) }

  /// Formats an amount with its currency's decimals: `1,234.50`; for JPY `1,234`.
  static func amount(_ amount: Milliunits, _ currency: Currency?) -> String {
    grouped(amount.text(decimals: currency?.decimals ?? 2))
  }

  /// Rounds millionths, half to even, to the decimals of the currency.
  ///
  /// The result is in thousandths.
  static func rounded(micros: Int64, _ currency: Currency) -> Milliunits? {
    let steps: [Int64] = [1_000_000, 100_000, 10_000, 1_000]
    let step = steps[min(currency.decimals, 3)]
    return (try? Milliunits(micros).share(1, of: step)).flatMap {
      try? $0.multiplied(by: step / 1000)
    }
  }

  /// Formats a percentage with one decimal, rounded down, so that 100 % means all.
  ///
  /// `nil` if the whole is 0.
  static func share(_ part: Int64, of whole: Int64) -> String? {
    guard whole > 0 else { return nil }
    let (product, overflow) = part.multipliedReportingOverflow(by: 1000)
    let perThousand = overflow ? part / whole * 1000 : product / whole
    return "\(perThousand / 10).\(perThousand % 10)\u{A0}%"
  }

  /// Formats a number with its noun: `1 row`, `2 rows`.
  static func count(_ number: Int64, _ one: String, _ many: String) -> String {
    "\(count(number)) \(number == 1 ? one : many)"
  }

  /// Converts a vocabulary word to words: `offer_code` → `offer code`.
  static func words(_ code: String) -> String { code.replacing("_", with: " ") }

  private static func grouped(_ digits: String) -> String {
    let sign = digits.hasPrefix("-") ? "-" : ""
    let parts = digits.dropFirst(sign.utf8.count).split(separator: ".")
    var whole = ""
    for (index, digit) in (parts.first ?? "0").enumerated() {
      if index > 0, ((parts.first?.utf8.count ?? 0) - index) % 3 == 0 { whole += "," }
      whole.append(digit)
    }
    return sign + whole + (parts.count > 1 ? "." + parts[1] : "")
  }
}
