import CivilTime
import PriceLearning
import PurchaseModel
import TestSupport

/// Random reports of three products in four storefronts over some months, some of them implausible.
///
/// With enough seeds, every case of the rules occurs.
struct RandomReports {
  /// The storefronts with their currencies; prices in France may differ from those in Germany and
  /// Spain.
  static let currencies = ["USA": "USD", "DEU": "EUR", "FRA": "EUR", "ESP": "EUR", "JPN": "JPY"]

  private(set) var store = StoreBuilder()
  private var random: SeededGenerator
  private let seed: UInt64
  private let places: [String]
  private let riseDay: Int
  private let voters: Int

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    places =
      [["USA", "DEU"], ["DEU", "FRA", "ESP"], ["USA", "DEU", "FRA", "JPN"]][Int(seed % 3)]
    riseDay = Int.random(in: 40...140, using: &random)
    voters = [4, 12, 40][Int(seed / 3 % 3)]
    addCatalogue()
    for _ in 0..<Int.random(in: 1...110, using: &random) { addReport() }
  }

  /// Removes the storefront of some reports, or replaces it by another.
  func place(_ report: inout PlacedReport) {
    switch (UInt64(report.evidenceID - 1) &* 31 &+ seed) % 11 {
    case 0: report = report.placed(nil)
    case 1, 2: report = report.placed(storefront(places[0]))
    default: break
    }
    report.isLate = report.hasOwnPlace && (UInt64(report.evidenceID) &* 7 &+ seed) % 9 == 0
    report.isAsked = !report.isLate && (UInt64(report.evidenceID) &* 5 &+ seed) % 6 == 0
    // Some reports name a purchase whose record has another storefront.
    guard report.hasOwnPlace, (UInt64(report.evidenceID) &* 17 &+ seed) % 13 == 0 else { return }
    let rival = storefront(places[Int(report.evidenceID) % places.count])
    report.rivalPlace = rival == report.place ? nil : rival
  }

  private mutating func addCatalogue() {
    guard seed % 4 == 0 else { return }
    let day = Self.date(riseDay)
    store.product(
      "pro", changes: seed % 8 == 0 ? [("EUR", day, .moved)] : [],
      prices: [("USD", "9.99", "2020-01-01"), ("EUR", "9.99", day)],
      lists: seed % 12 == 0
        ? [StoreList("FRA", changes: [("EUR", Self.date(riseDay + 20), .preserved)])] : [])
  }

  private mutating func addReport() {
    let place = places.randomElement(using: &random) ?? "USA"
    // Any voter may report from any storefront.
    let voter = Int.random(in: 0..<voters, using: &random)
    let day = Int.random(in: 0...180, using: &random)
    let product = ["pro", "pro", "pro", "plus", "news"].randomElement(using: &random) ?? "pro"
    var cents = ["pro": 999, "plus": 499, "news": 299][product] ?? 999
    if place == "JPN" { cents *= 120 }
    if product == "pro", day >= riseDay, seed % 5 != 0 { cents = cents * 13 / 10 }
    if product == "pro", place == "FRA", seed % 2 == 0 { cents += 100 }
    var currency = Self.currencies[place] ?? "USD"
    switch seed % 12 {
    // Germany changes to dollars, and most phones show euros for a while.
    case 1 where place == "DEU" && day >= riseDay + (voter % 3 > 0 ? 20 : 0): currency = "USD"
    // An app sends dollars in all countries; others show one and a half euros a dollar.
    case 2 where voter % 4 == 0 && place == "JPN": cents /= 120
    case 2 where currency == "EUR" && voter % 4 > 0: cents = cents * 3 / 2
    default: break
    }
    switch Int.random(in: 0..<24, using: &random) {
    case 0: cents *= 100
    case 1: cents = 1
    case 2, 3: cents /= 2
    case 4: cents = 0
    case 5: currency = "USD"
    case 6: cents = cents * 13 / 10
    case 7: cents *= 5
    default: break
    }
    store.report(
      at: Self.date(day) + (day % 3 == 0 ? "T12:00:00Z" : "T00:00:00Z"), customer: "c\(voter)",
      product: product, storefront: place, currency: currency,
      price: "\(cents / 100).\(cents % 100 / 10)\(cents % 10)")
  }

  private static func date(_ number: Int) -> String {
    day("2023-01-01").advanced(by: Int64(number)).text
  }
}

extension PlacedReport {
  /// The same report in a storefront that it does not state itself.
  func placed(_ place: Storefront?) -> PlacedReport {
    var report = self
    report.place = place
    report.hasOwnPlace = false
    return report
  }
}
