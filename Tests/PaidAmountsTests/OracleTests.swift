import Amounts
import CivilTime
@testable import PaidAmounts
import PurchaseModel
import Purchases
import Testing
import TestSupport

/// The rules' windows, tallies and levels against a plain reading of RULES section 3 that asks
/// every report about every other.
struct OracleTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `verdicts and references equal those of the plain reading`(seed: UInt64) throws {
    let story = try Story(randomStore(seed: seed))
    let reports = story.built.sightings.reports
    for (index, judged) in story.result.reports.enumerated() {
      let (verdict, reference) = plainVerdict(index, reports, story.built.catalogue)
      #expect(judged.verdict == verdict, "seed \(seed), report \(index)")
      #expect(judged.reference?.rawValue == reference, "seed \(seed), report \(index)")
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `intervals equal those of the plain reading`(seed: UInt64) throws {
    let story = try Story(randomStore(seed: seed))
    let cuts = catalogueDates(story.built.catalogue)
    var expected: [String] = []
    let reports = story.result.reports.filter { $0.verdict.isBelieved }.map {
      story.built.sightings.reports[Int($0.report)]
    }
    for stretch in 0...cuts.count {
      let from = stretch > 0 ? cuts[stretch - 1] : nil
      let to = stretch < cuts.count ? cuts[stretch] : nil
      let inside = reports.filter { report in
        (from.map { report.reportedAt >= $0.at } ?? true)
          && (to.map { report.reportedAt < $0.at } ?? true)
      }
      expected += plainIntervals(
        inside, from: from?.at, to: to?.at, isOnePrice: from?.isChange ?? false)
    }
    #expect(story.regularIntervals() == expected, "seed \(seed)")
  }
}

/// Reports of one product in USD by up to 30 voters over a year, some of them wild.
private func randomStore(seed: UInt64) -> StoreBuilder {
  var random = SeededGenerator(seed: seed)
  var store = StoreBuilder()
  if seed % 3 == 0 {
    store.product(
      "pro",
      changes: seed % 2 == 0 ? [("USD", "2021-04-01", .moved)] : [],
      prices: [("USD", "9.99", "2021-07-01")])
  }
  let prices = ["9.99", "9.99", "9.99", "12.99", "12.99", "8.99", "99.9", "999", "0.01", "40"]
  for _ in 0..<Int.random(in: 1...90, using: &random) {
    let month = Int.random(in: 1...12, using: &random)
    let day = Int.random(in: 1...28, using: &random)
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    store.report(
      at: "2021-\(two(month))-\(two(day))",
      customer: "c\(Int.random(in: 0..<(seed % 5 == 0 ? 4 : 30), using: &random))",
      price: prices[Int.random(in: 0..<(seed % 7 == 0 ? 5 : prices.count), using: &random)])
  }
  return store
}

private func catalogueDates(_ catalogue: Catalogue) -> [(at: Instant, isChange: Bool)] {
  guard let product = catalogue.products.values.first else { return [] }
  return
    (product.priceChanges.map { (at: $0.from.start, isChange: true) }
    + product.prices.map { (at: $0.from.start, isChange: false) }).sorted { $0.at < $1.at }
}

private func plainVerdict(_ index: Int, _ all: [PriceReport], _ catalogue: Catalogue) -> (
  Verdict, Int64?
) {
  let report = all[index]
  let dates = catalogueDates(catalogue)
  func stretch(_ report: PriceReport) -> Int { dates.count { $0.at <= report.reportedAt } }
  func isNear(_ other: PriceReport, days: Int64) -> Bool {
    abs(other.reportedAt.milliseconds - report.reportedAt.milliseconds) <= days * 86_400_000
  }
  let stretchMates = all.filter { stretch($0) == stretch(report) }
  let others = stretchMates.filter { $0.customer != report.customer }
  let reference =
    plainMode(others.filter { isNear($0, days: 90) }) ?? plainMode(others)
    ?? catalogue.listPrice(of: report.productID, in: report.currency, at: report.reportedAt)?
    .rawValue
  guard let reference else { return (.noReference, nil) }
  let price = report.price.rawValue
  if 3 * price >= reference, price <= 3 * reference { return (.believed, reference) }
  let near = stretchMates.filter { isNear($0, days: 30) }
  func voters(_ price: Int64) -> Int {
    Set(near.filter { $0.price.rawValue == price }.map(\.customer)).count
  }
  if voters(price) >= 4, voters(price) > voters(reference) { return (.believed, reference) }
  for ratio in [100.0, 1000, 0.01, 0.001]
  where abs(Double(price) / Double(reference) / ratio - 1) <= 0.05 {
    return (.unitError, reference)
  }
  return (.outlier, reference)
}

/// The price with most distinct voters, of equal ones the higher.
private func plainMode(_ reports: [PriceReport]) -> Int64? {
  var voters: [Int64: Set<CustomerID?>] = [:]
  for report in reports { voters[report.price.rawValue, default: []].insert(report.customer) }
  return voters.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
}

private func plainIntervals(
  _ reports: [PriceReport], from: Instant?, to: Instant?, isOnePrice: Bool
) -> [String] {
  struct Level {
    var price: Int64
    var reports: [PriceReport]
    var first: Instant
    func voters(after time: Instant? = nil, before: Instant? = nil) -> Int {
      Set(
        reports.filter { report in
          (time.map { report.reportedAt > $0 } ?? true)
            && (before.map { report.reportedAt < $0 } ?? true)
        }.map(\.customer)
      ).count
    }
  }
  var levels = Dictionary(grouping: reports, by: \.price.rawValue).map { price, reports in
    Level(price: price, reports: reports, first: reports.map(\.reportedAt).min() ?? .epoch)
  }
  let mode = levels.max {
    ($0.voters(), $0.reports.count, -$0.price) < ($1.voters(), $1.reports.count, -$1.price)
  }
  guard let mode else { return [] }
  let shared = levels.filter { $0.voters() >= 2 }
  levels = isOnePrice || shared.isEmpty ? [mode] : shared
  levels.sort { ($0.first, $0.voters(), -$0.price) < ($1.first, $1.voters(), -$1.price) }
  var opened: [Level] = []
  for level in levels {
    if let current = opened.last, current.voters(after: level.first) >= level.voters() { continue }
    if opened.last?.first == level.first { opened.removeLast() }
    opened.append(level)
  }
  return opened.indices.map { index in
    let level = opened[index]
    let start = index == 0 ? from : level.first
    let end = index == opened.count - 1 ? to : opened[index + 1].first
    let inside = Set(
      level.reports.filter { report in
        (start.map { report.reportedAt >= $0 } ?? true)
          && (end.map { report.reportedAt < $0 } ?? true)
      }.map(\.customer))
    let price = Milliunits(level.price).text(decimals: 2)
    return "\(start?.text ?? "-") \(end?.text ?? "-") \(price) voters \(inside.count)"
  }
}
