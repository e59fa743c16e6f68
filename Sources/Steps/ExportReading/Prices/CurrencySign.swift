internal import Amounts

/// The sign or code of a currency before or behind a price, as a label shows it: `9,99 €`,
/// `US$9.99`, `PLN 9.99`.
///
/// The currency itself is another value of the report. A sign of another currency makes the price
/// unreadable, because it may be converted.
enum CurrencySign {
  /// Returns the number in a text with one sign or code of a currency.
  ///
  /// `nil` for a text without a sign, and for the sign of another currency.
  static func number(in text: Span<UInt8>, of currency: Currency) -> [UInt8]? {
    let bytes = text.indices.map { text[$0] }
    func isNumber(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard let start = bytes.firstIndex(where: isNumber), let end = bytes.lastIndex(where: isNumber)
    else { return nil }
    let signs = [bytes[..<start], bytes[(end + 1)...]].map { part in
      String(decoding: part, as: UTF8.self).filter { !$0.isWhitespace }
    }
    guard signs.contains(""), let sign = signs.first(where: { !$0.isEmpty }) else { return nil }
    let isOwn = Currency(sign) == currency || Self.signs[sign]?.contains(currency.code) ?? false
    return isOwn ? Array(bytes[start...end]) : nil
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
