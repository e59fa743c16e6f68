import Amounts
import CivilTime
import PriceLearning
import PurchaseModel

/// A report in the naive version.
struct PlainReport {
  var index: Int
  var voter: Voter
  var time: Int64
  var product: ProductID
  var currency: Currency
  var price: Int64
  var place: Storefront?
  /// The storefront of the record around the purchase, if it differs from the report's storefront.
  var rival: Storefront?
  /// Whether the report was made more than a day after its purchase.
  var isLate = false
  /// Whether the report was made more than an hour before its purchase.
  var isAsked = false
  /// Whether that storefront had another currency at the time.
  ///
  /// Then learning does not use the report.
  var isAside = false
  /// Whether the App Store does not use the report's currency in the report's storefront.
  var isMisplaced = false
}

/// A naive version of learning: every report is compared with every other report, without an index.
struct PlainReading {
  let catalogue: Catalogue
  /// The App Store's own currency of each storefront in the reports.
  let ownCurrencies: [Storefront: Currency]
  var reports: [PlainReport] = []
  var isMismatch: [Bool] = []

  init(
    _ placed: [PlacedReport], catalogue: Catalogue,
    ownCurrencies: [Storefront: Currency]
  ) {
    self.catalogue = catalogue
    self.ownCurrencies = ownCurrencies
    reports = placed.enumerated().map { index, report in
      PlainReport(
        index: index, voter: report.voter, time: report.time.milliseconds,
        product: report.productID, currency: report.currency, price: report.price.rawValue,
        place: report.place, rival: report.rivalPlace, isLate: report.isLate,
        isAsked: report.isAsked)
    }
    separateMisplaced(placed)
    let contradicted = reports.map { isContradicted($0) }
    isMismatch = contradicted.indices.map { contradicted[$0] && placed[$0].hasOwnPlace }
    for index in contradicted.indices where contradicted[index] && !placed[index].hasOwnPlace {
      reports[index].place = nil
    }
    for index in reports.indices where !isMismatch[index] {
      guard let place = reports[index].place, let rival = reports[index].rival else { continue }
      let time = reports[index].time
      reports[index].isAside = currency(of: place, at: time) != currency(of: rival, at: time)
    }
  }

  /// Takes the storefront from the reports with a currency that it does not have, if others there
  /// contradict them, or the voter's reports from elsewhere.
  private mutating func separateMisplaced(_ placed: [PlacedReport]) {
    let misplaced = reports.filter { report in
      let own = report.place.flatMap { ownCurrencies[$0] }
      return placed[report.index].hasOwnPlace && own != nil && own != report.currency
        && (isContradicted(report) || isFromElsewhere(report, placed))
    }
    for report in misplaced {
      reports[report.index].place = nil
      reports[report.index].isMisplaced = true
    }
  }

  /// Returns true if the voter states a storefront that uses the report's currency, and fewer than
  /// three voters of the report's storefront and currency state no other storefront.
  private func isFromElsewhere(_ report: PlainReport, _ placed: [PlacedReport]) -> Bool {
    func places(_ voter: Voter) -> Set<Storefront> {
      Set(reports.filter { $0.voter == voter && placed[$0.index].hasOwnPlace }.compactMap(\.place))
    }
    guard places(report.voter).contains(where: { ownCurrencies[$0] == report.currency }) else {
      return false
    }
    let same = reports.filter {
      $0.place == report.place && $0.currency == report.currency && placed[$0.index].hasOwnPlace
    }
    return Self.voters(same.filter { places($0.voter).count == 1 }) < 3
  }

  /// The reports that learning uses.
  var learned: [PlainReport] { reports.filter { !$0.isAside && !$0.isMisplaced } }

  static func days(_ number: Int64) -> Int64 { number * 86_400_000 }

  static func voters(_ reports: [PlainReport]) -> Int { Set(reports.map(\.voter)).count }

  /// The number of voters of each price.
  static func tally(_ reports: [PlainReport]) -> [Int64: Int] {
    Dictionary(grouping: reports, by: \.price).mapValues(voters)
  }

  /// The price with most voters; in a tie the higher price.
  static func mode(_ reports: [PlainReport]) -> Int64? {
    tally(reports).max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  // MARK: Currencies

  /// Returns true if the report's currency is the majority neither before nor after the report.
  private func isContradicted(_ report: PlainReport) -> Bool {
    guard let place = report.place else { return false }
    let others = reports.filter { $0.place == place && $0.voter != report.voter }
    let sides = [
      others.filter { $0.time <= report.time && report.time - $0.time <= Self.days(60) },
      others.filter { $0.time >= report.time && $0.time - report.time <= Self.days(60) },
    ].filter { Self.voters($0) >= 3 }
    let agreeing = sides.filter { side in
      let count = Dictionary(grouping: side, by: \.currency).mapValues(Self.voters)
      let own = count[report.currency] ?? 0
      return own > 0 && count.values.allSatisfy { $0 <= own }
    }
    return !sides.isEmpty && agreeing.isEmpty && !isOfRun(report, others)
  }

  /// Whether three others with the report's currency stand next to it, with no other currency
  /// between them.
  private func isOfRun(_ report: PlainReport, _ others: [PlainReport]) -> Bool {
    let contrary = others.filter { $0.currency != report.currency }.map(\.time)
    let run = others.filter { other in
      let between = min(report.time, other.time)...max(report.time, other.time)
      return other.currency == report.currency && abs(other.time - report.time) <= Self.days(180)
        && !contrary.contains(where: between.contains)
    }
    return Self.voters(run) >= 3
  }

  // MARK: Stretches

  /// The dates of the catalogue that begin a new stretch of a price list, at 00:00:00 UTC.
  func cuts(_ report: PlainReport, list: Storefront?) -> [Int64] {
    guard let product = catalogue.products[report.product] else { return [] }
    let changes = product.priceChanges.filter {
      $0.currency == report.currency && ($0.storefront == nil || $0.storefront == list)
    }
    let prices = product.prices.filter {
      $0.currency == report.currency && ($0.storefront == nil || $0.storefront == list)
    }
    return Set(changes.map(\.from) + prices.map(\.from)).map(\.start.milliseconds).sorted()
  }

  func changeDates(_ report: PlainReport, list: Storefront?) -> [Int64] {
    guard let product = catalogue.products[report.product] else { return [] }
    return product.priceChanges.filter {
      $0.currency == report.currency && ($0.storefront == nil || $0.storefront == list)
    }.map(\.from.start.milliseconds)
  }

  /// The list prices that apply in a list, oldest first.
  func listed(_ report: PlainReport, list: Storefront?) -> [(from: Int64, price: Int64)] {
    let lines = catalogue.products[report.product]?.prices.filter {
      $0.currency == report.currency && ($0.storefront == nil || $0.storefront == list)
    }
    return (lines ?? []).map { ($0.from.start.milliseconds, $0.price.rawValue) }
      .sorted { $0.0 < $1.0 }
  }

  /// The list price in force at a report; of several lines with the same day, the storefront's own
  /// line is used.
  func listPrice(_ report: PlainReport, list: Storefront?) -> Int64? {
    let listed = catalogue.products[report.product]?.prices.filter {
      $0.currency == report.currency && $0.from.start.milliseconds <= report.time
        && ($0.storefront == nil || $0.storefront == list)
    }
    return listed?.max {
      ($0.from, $0.storefront == nil ? 0 : 1) < ($1.from, $1.storefront == nil ? 0 : 1)
    }?.price.rawValue
  }

  /// The reports of the same product and currency in the same stretch as a report.
  func stretchMates(of report: PlainReport, list: Storefront?, among: [PlainReport])
    -> [PlainReport]
  {
    let cuts = cuts(report, list: list)
    func stretch(_ time: Int64) -> Int { cuts.count { $0 <= time } }
    return among.filter {
      $0.product == report.product && $0.currency == report.currency
        && stretch($0.time) == stretch(report.time)
    }
  }

  static func near(_ report: PlainReport, days: Int64, _ all: [PlainReport]) -> [PlainReport] {
    all.filter { abs($0.time - report.time) <= Self.days(days) }
  }

  // MARK: Reference and verdict

  /// The reference of a report, and the verdict on the report by itself.
  func storedVerdict(of report: PlainReport) -> (verdict: Verdict, reference: Int64?) {
    if report.isAside { return (.contestedPlace, nil) }
    if report.isMisplaced { return (.wrongPlace, nil) }
    let (verdict, reference) = verdict(report)
    return (isMismatch[report.index] ? .currencyMismatch : verdict, reference)
  }

  /// The groups of reports with which a report is compared.
  ///
  /// First the reports of its storefront, if three other voters report there.
  private func circles(of report: PlainReport) -> [(mates: [PlainReport], least: Int)] {
    let everywhere = stretchMates(of: report, list: nil, among: learned)
    guard let place = report.place else { return [(everywhere, 1)] }
    let there = stretchMates(
      of: report, list: place, among: learned.filter { $0.place == place })
    return [(there, 3), (everywhere, 1)]
  }

  /// The price that most other voters report, with their number and the number of all other voters.
  private struct Crowd {
    var price: Int64
    var supporters: Int
    var others: Int

    init?(_ others: [PlainReport], least: Int) {
      self.others = PlainReading.voters(others)
      guard self.others >= least, let price = PlainReading.mode(others) else { return nil }
      self.price = price
      supporters = PlainReading.tally(others)[price] ?? 0
    }
  }

  /// The other reports within 90 days, and those of the whole stretch.
  private func crowds(of report: PlainReport) -> (near: Crowd?, whole: Crowd?) {
    let circles = circles(of: report).map { mates, least in
      (others: mates.filter { $0.voter != report.voter }, least: least)
    }
    return (
      circles.compactMap {
        Crowd(Self.near(report, days: 90, $0.others), least: $0.least)
      }.first,
      circles.compactMap { Crowd($0.others, least: $0.least) }.first
    )
  }

  /// If the guide has three or more values, it refuses a price that is 20 times too high or too
  /// low.
  ///
  /// The exception is a price near a price in the catalogue.
  private func verdict(_ report: PlainReport) -> (verdict: Verdict, reference: Int64?) {
    let found = verdictOfOthers(report)
    let isListed =
      listPrice(report, list: report.place).map { Self.isWithin(report.price, 3, of: $0) } ?? false
    guard found.verdict.isBelieved, !isListed, let guide = values(report), guide.count >= 3 else {
      return found
    }
    if !Self.isWithin(report.price, 20, of: guide.price) { return (.unitError, found.reference) }
    return isInDollars(report.price, report) ? (.outlier, found.reference) : found
  }

  private func verdictOfOthers(_ report: PlainReport) -> (verdict: Verdict, reference: Int64?) {
    let listed = listPrice(report, list: report.place)
    // Reports in another unit are no reference.
    if let guide = values(report), guide.count >= 3, let crowd = reference(of: report), crowd > 0,
      !Self.isWithin(crowd, 20, of: guide.price), Self.isWithin(report.price, 20, of: guide.price),
      listed.map({ !Self.isWithin(crowd, 3, of: $0) }) ?? true
    {
      return (verdict(report, nil), nil)
    }
    if let crowd = reference(of: report), listed.map({ !Self.isWithin(crowd, 3, of: $0) }) ?? true,
      !isInDollars(report.price, report), isInDollars(crowd, report)
    {
      return (verdict(report, nil), nil)
    }
    let (near, whole) = crowds(of: report)
    guard report.price > 0, let crowd = near ?? whole,
      listed.map({ !Self.isOtherUnit(crowd.price, $0) }) ?? true
    else { return (verdict(report, reference(of: report)), reference(of: report)) }
    let isBacked =
      near.map { $0.others < 3 && $0.price == whole?.price && whole?.supporters ?? 0 >= 2 } ?? false
    if crowd.supporters >= 2 || isBacked || verdict(report, crowd.price) == .believed {
      return (verdict(report, crowd.price), crowd.price)
    }
    // The report of a single other voter cannot refuse a price.
    if let listed { return (verdict(report, listed), listed) }
    if verdict(report, nil) == .outlier { return (.outlier, crowd.price) }
    let isGuided = values(report).map { Self.isWithin(report.price, 3, of: $0.price) } ?? false
    let others = max(near?.others ?? 0, near?.others ?? 0 < 3 ? whole?.others ?? 0 : 0)
    return (.noReference, others == 1 && !isGuided ? crowd.price : nil)
  }

  /// Whether the guide refuses a price that two voters report for the product in US dollars.
  private func isInDollars(_ price: Int64, _ report: PlainReport) -> Bool {
    guard let dollar = Currency("USD"), report.currency != dollar, let guide = values(report),
      guide.count >= 3, !Self.isWithin(price, 3, of: guide.price)
    else { return false }
    return Self.voters(
      learned.filter {
        $0.product == report.product && $0.currency == dollar && $0.price == price
          && !isMismatch[$0.index]
      }) >= 2
  }

  private func reference(of report: PlainReport) -> Int64? {
    let listed = listPrice(report, list: report.place)
    let (near, whole) = crowds(of: report)
    guard let crowd = (near ?? whole)?.price else { return listed }
    if let listed, Self.isOtherUnit(crowd, listed) { return listed }
    return crowd
  }

  private func verdict(_ report: PlainReport, _ reference: Int64?) -> Verdict {
    if report.price == 0 { return .outlier }
    guard let reference else {
      guard let guide = values(report) else { return .noReference }
      if guide.count >= 3 {
        return Self.isWithin(report.price, 3, of: guide.price) ? .noReference : .outlier
      }
      let isFar = report.price / 20 >= guide.price || guide.price / 20 >= report.price
      return isFar ? .outlier : .noReference
    }
    if let period = catalogue.products[report.product]?.subscriptionPeriod,
      period.unit == .month, period.count >= 3
    {
      let month = reference / Int64(period.count)
      let isWhole = report.price % 1000 == 0 && reference % 1000 == 0
      if abs(report.price - month) <= (isWhole ? 1000 : 10) { return .outlier }
    }
    let isCents =
      listPrice(report, list: report.place).map { Self.isOtherUnit(report.price, $0) } ?? false
    if Self.isWithin(report.price, 3, of: reference)
      || (isCorroborated(report) || hasFallen(report)) && !isCents
    {
      return .believed
    }
    return Self.isOtherUnit(report.price, reference) ? .unitError : .outlier
  }

  /// Whether the report's storefront has a new price below a third of the old.
  private func hasFallen(_ report: PlainReport) -> Bool {
    guard report.place != nil else { return false }
    let here = learned.filter {
      $0.product == report.product && $0.currency == report.currency && $0.place == report.place
    }
    let fallen = here.filter { other in
      guard other.price == report.price, other.price > 0, let reference = reference(of: other)
      else { return false }
      return 3 * other.price < reference && !Self.isOtherUnit(other.price, reference)
        && abs(Double(10 * other.price) / Double(reference) - 1) > 0.05 + 1e-12
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    guard fallen.contains(where: { $0.index == report.index }), let first = fallen.first,
      let reference = reference(of: first)
    else { return false }
    let isApart = fallen.contains { one in
      fallen.contains { $0.voter != one.voter && abs($0.time - one.time) >= Self.days(7) }
    }
    return isApart && !here.contains { $0.time > first.time && $0.price == reference }
  }

  /// Whether at least four voters report exactly this price, and more than report any other price.
  private func isCorroborated(_ report: PlainReport) -> Bool {
    let circle = circles(of: report).first { mates, least in
      Self.voters(Self.near(report, days: 90, mates).filter { $0.voter != report.voter }) >= least
    }
    guard let circle else { return false }
    let count = Self.tally(Self.near(report, days: 30, circle.mates))
    let own = count[report.price] ?? 0
    return own >= 4 && count.allSatisfy { $0.key == report.price || $0.value < own }
  }

  static func isWithin(_ price: Int64, _ factor: Double, of other: Int64) -> Bool {
    let ratio = Double(price) / Double(other)
    return ratio * factor >= 1 - 1e-12 && ratio <= factor + 1e-12
  }

  private static func isOtherUnit(_ price: Int64, _ other: Int64) -> Bool {
    guard price > 0, other > 0 else { return false }
    return [100, 1000, 0.01, 0.001].contains {
      abs(Double(price) / Double(other) / $0 - 1) <= 0.05 + 1e-12
    }
  }

  // MARK: Guide

  /// The most frequent price above 0 of a product in a currency, with at least two voters; of
  /// equally frequent prices the higher.
  private func commonest(_ product: ProductID, _ currency: Currency) -> Int64? {
    let reported = learned.filter {
      $0.product == product && $0.currency == currency && $0.price > 0 && !isMismatch[$0.index]
    }
    return Self.mode(reported).flatMap { Self.tally(reported)[$0] ?? 0 >= 2 ? $0 : nil }
  }

  /// The approximate price that a report's product should have; `nil` with fewer than three values.
  func guide(_ report: PlainReport) -> Int64? {
    values(report).flatMap { $0.count >= 3 ? $0.price : nil }
  }

  /// The lower median of the values, and the number of values.
  private func values(_ report: PlainReport) -> (price: Int64, count: Int)? {
    let products = Set(reports.map(\.product)).subtracting([report.product])
    let currencies = Set(reports.map(\.currency)).subtracting([report.currency])
    var values: [Int64] = []
    for currency in currencies {
      guard let known = commonest(report.product, currency) else { continue }
      for product in products {
        guard let here = commonest(product, report.currency),
          let there = commonest(product, currency)
        else { continue }
        values.append(known * here / there)
      }
    }
    if values.isEmpty, let here = Self.level(report.currency) {
      values = currencies.compactMap { currency in
        guard let known = commonest(report.product, currency), let there = Self.level(currency)
        else { return nil }
        return known * here / there
      }
    }
    return values.isEmpty ? nil : (values.sorted()[(values.count - 1) / 2], values.count)
  }

  /// Apple's usual price of a product that costs ten US dollars.
  private static func level(_ currency: Currency) -> Int64? {
    ["EUR": 10, "JPY": 1300, "USD": 10][currency.code]
  }
}
