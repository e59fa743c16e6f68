internal import Amounts

/// The sign or code of a currency before or behind a price, as a label shows it: `9,99 €`,
/// `US$9.99`, `PLN 9.99`.
///
/// A sign of another currency than the report's makes the price unreadable, because it may be
/// converted.
enum CurrencySign {
  /// Returns the number in a text with one sign or code of a currency, with a decimal point.
  ///
  /// A label shows by itself which character is its decimal sign: `9,99 €` and `$9.99` may stand in
  /// one column. `nil` for a text without a sign, and for the sign of another currency.
  static func number(in text: Span<UInt8>, of currency: Currency) -> [UInt8]? {
    guard let label = label(in: text),
      Currency(label.sign) == currency || signs[label.sign]?.contains(currency.code) ?? false
    else { return nil }
    return plain(label.number, decimals: currency.decimals)
  }

  /// The currency that the sign or code in a text names; `nil` for a text without one, and for a
  /// sign of several currencies, such as `$`.
  static func currency(in text: Span<UInt8>) -> Currency? {
    guard let sign = label(in: text)?.sign else { return nil }
    if let codes = signs[sign] {
      return codes.count == 1 ? codes.first.flatMap(Currency.init) : nil
    }
    guard sign == sign.uppercased(), let currency = Currency(sign), currency.isKnown else {
      return nil
    }
    return currency
  }

  /// Splits a text into a number and the sign before or behind it; `nil` without exactly one sign.
  private static func label(in text: Span<UInt8>) -> (number: ArraySlice<UInt8>, sign: String)? {
    let bytes = text.indices.map { text[$0] }
    func isNumber(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "-") }
    guard let start = bytes.firstIndex(where: isNumber), let end = bytes.lastIndex(where: isNumber)
    else { return nil }
    let signs = [bytes[..<start], bytes[(end + 1)...]].map { part in
      String(decoding: part, as: UTF8.self).filter { !$0.isWhitespace }
    }
    guard signs.contains(""), let sign = signs.first(where: { !$0.isEmpty }) else { return nil }
    return (bytes[start...end], sign)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the number of a label with a decimal point, and without separators of thousands.
  ///
  /// A last point or comma with one or two digits behind it is the decimal sign; with three digits,
  /// it separates thousands. `nil` for other groups of digits, and for three digits in a currency
  /// with three decimals, which do not show what they are.
  private static func plain(_ number: ArraySlice<UInt8>, decimals: Int) -> [UInt8]? {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    var groups = digits.split(omittingEmptySubsequences: false) { !isDigit($0) }
    // A blank of two or three bytes leaves empty groups.
    groups.removeAll { $0.isEmpty }
    guard let last = groups.last, let first = groups.first, groups.count > 1 else {
      return groups.count == 1 ? Array(number) : nil
    }
    let separator = digits[last.startIndex - 1]
    let isMark = separator == UInt8(ascii: ",") || separator == UInt8(ascii: ".")
    let hasFraction = isMark && last.count <= 2 && digits.count { $0 == separator } == 1
    let whole = hasFraction ? groups.dropLast() : groups[...]
    // In India groups of two digits precede the last three.
    let isGrouped =
      whole.count == 1
      || (1...3).contains(first.count) && whole.last?.count == 3
        && whole.dropFirst().allSatisfy { (2...3).contains($0.count) }
    guard isGrouped, hasFraction || decimals < 3 else { return nil }
    return Array(number.prefix(number.count - digits.count)) + whole.joined()
      + (hasFraction ? [UInt8(ascii: ".")] + last : [])
  }

  /// The signs that price labels of the App Store have, each with its currencies.
  private static let signs: [String: Set<String>] = [
    "€": ["EUR"], "£": ["GBP", "EGP"], "¥": ["JPY", "CNY"], "￥": ["JPY", "CNY"], "元": ["CNY"],
    "円": ["JPY"], "₩": ["KRW"], "₹": ["INR"], "₽": ["RUB"], "₺": ["TRY"], "₪": ["ILS"],
    "₫": ["VND"], "đ": ["VND"], "₦": ["NGN"], "₱": ["PHP"], "₸": ["KZT"], "฿": ["THB"],
    "₴": ["UAH"], "zł": ["PLN"], "Kč": ["CZK"], "Ft": ["HUF"], "lei": ["RON"], "лв.": ["BGN"],
    "kr": ["DKK", "NOK", "SEK", "ISK"], "kr.": ["DKK", "NOK", "SEK", "ISK"], "R": ["ZAR"],
    "R$": ["BRL"], "RM": ["MYR"], "Rp": ["IDR"], "S/": ["PEN"], "Fr.": ["CHF"],
    "$": [
      "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "CLP", "COP", "ARS", "UYU",
    ],
    "US$": ["USD"], "CA$": ["CAD"], "A$": ["AUD"], "NZ$": ["NZD"], "S$": ["SGD"],
    "HK$": ["HKD"], "NT$": ["TWD"], "MX$": ["MXN"],
  ]
}
