internal import Amounts

/// Apple's usual price, in each currency, of a product that costs ten US dollars.
///
/// The figures are rough. If prices have changed much since 2013, as in Turkey, a figure is between
/// the old and the new prices. If the catalogue lists a currency as rebased, its figure is in the
/// old unit. The figures only detect prices in another unit, 20 times too high or too low; no
/// amount is derived from them.
enum PriceLevels {
  /// The price of a product that costs ten US dollars, in the main unit of a currency; `nil` for a
  /// currency that the App Store does not use.
  static func level(of currency: Currency) -> Int64? { levels[currency] }

  private static let levels: [Currency: Int64] = {
    var table: [Currency: Int64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      var index = 0
      while index + 1 < words.count {
        if let currency = Currency(String(words[index])), let level = Int64(words[index + 1]) {
          table[currency] = level
        }
        index += 2
      }
    }
    return table
  }()
}

/// Each currency, followed by its usual price of a product that costs ten US dollars.
private let text = """
  AED 40 AUD 15 BGN 20 BRL 45 CAD 14 CHF 10 CLP 9000 CNY 70 COP 40000 CZK 250 DKK 80 EGP 250
  EUR 10 GBP 9 HKD 78 HRK 75 HUF 4000 IDR 150000 ILS 40 INR 850 JPY 1300 KRW 13000 KZT 4500
  MXN 190 MYR 45 NGN 8000 NOK 110 NZD 17 PEN 40 PHP 550 PKR 2000 PLN 45 QAR 40 RON 48 RUB 750
  SAR 40 SEK 120 SGD 14 THB 350 TRY 90 TWD 310 TZS 25000 USD 10 VND 240000 ZAR 180
  """
