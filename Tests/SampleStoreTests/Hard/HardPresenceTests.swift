internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Each phenomenon, counted in the exports of its store and of a store without it.
///
/// Only long runs make these stores, which takes minutes.
@Suite(.enabled(if: LongTests.areOn))
struct HardPresenceTests {
  private static let plain = Result { try HardLines([]) }
  private static let start: Int64 = CivilDay(text: "2022-01-01")?.start.milliseconds ?? 0
  private let plain: HardLines

  init() throws { plain = try Self.plain.get() }

  @Test func `storefronts of one currency report different prices, and many name none`() throws {
    let hard = try HardLines([.storefrontPrices], customers: 600)
    #expect(splitPrices(hard) >= 4)
    #expect(splitPrices(plain) == 0)
    #expect(hard.reports.count { $0.storefront == nil } * 10 > hard.reports.count * 4)
    #expect(hard.records.count { $0.storefront == nil } * 10 > hard.records.count * 6)
  }

  /// The number of products and currencies with different usual prices in two storefronts.
  ///
  /// In the last year, with at least three reports in each storefront.
  private func splitPrices(_ lines: HardLines) -> Int {
    let late = lines.reports.map(\.reportedAt).max().map { $0 - 365 * HardLines.day } ?? 0
    var prices: [String: Set<Double>] = [:]
    for reports in lines.placed.values {
      let recent = reports.filter { $0.reportedAt > late }
      guard recent.count >= 3 else { continue }
      prices["\(recent[0].product) \(recent[0].currency)", default: []]
        .insert(HardLines.usualPrice(recent))
    }
    return prices.values.count { $0.count > 1 }
  }

  @Test func `customers are seen in two countries while one subscription runs`() throws {
    let hard = try HardLines([.movers])
    #expect(chainsAbroad(hard) >= 15)
    #expect(chainsAbroad(plain) == 0)
  }

  /// The number of chains without a gap and with records in two storefronts.
  private func chainsAbroad(_ lines: HardLines) -> Int {
    var seen: [String: [(at: Int64, storefront: String)]] = [:]
    for record in lines.records {
      guard let storefront = record.storefront else { continue }
      for chain in Set(record.rows.map(\.chain)) {
        seen[chain, default: []].append((record.requestedAt, storefront))
      }
    }
    return lines.chains.count { rows in
      guard let first = rows.first, let places = seen[first.chain] else { return false }
      return zip(rows, rows.dropFirst()).contains { one, next in
        one.expiresAt == next.purchasedAt
          && Set(places.map(\.storefront)).count > 1
      }
    }
  }

  @Test func `storefronts change their currency, and some phones are late`() throws {
    let hard = try HardLines([.currencySwitch])
    #expect(switched(plain).isEmpty)
    let found = switched(hard)
    #expect(found.count >= 3)
    #expect(found.contains { $0.lastOld > $0.firstNew })
  }

  /// The storefronts with at least five reports in each of two currencies.
  private func switched(_ lines: HardLines) -> [(lastOld: Int64, firstNew: Int64)] {
    let byStorefront = Dictionary(
      grouping: lines.reports.filter { $0.storefront?.count == 3 }, by: { $0.storefront ?? "" })
    return byStorefront.values.compactMap { reports in
      let currencies = Dictionary(grouping: reports, by: \.currency).values
        .filter { $0.count >= 5 }
        .map { $0.map(\.reportedAt).sorted() }
        .sorted { $0[0] < $1[0] }
      guard currencies.count == 2 else { return nil }
      return (currencies[0][currencies[0].count - 1], currencies[1][0])
    }
  }

  @Test func `reports arrive weeks late, with wrong clocks, and twice`() throws {
    let hard = try HardLines([.lateReports])
    func late(_ lines: HardLines) -> Int {
      // A file covers thirty days, so a report that is older than forty days was late.
      lines.reports.count { $0.exportedAt - $0.reportedAt > 40 * HardLines.day }
    }
    func offClock(_ lines: HardLines) -> Int {
      lines.reports.count { abs($0.exportedAt - $0.reportedAt) > 200 * HardLines.day }
    }
    func repeated(_ lines: HardLines) -> Int {
      lines.reports.count - Set(lines.reports.map(\.text)).count
    }
    #expect(late(hard) * 20 > hard.reports.count && late(plain) == 0)
    #expect(offClock(hard) > 10 && offClock(plain) == 0)
    #expect(repeated(hard) * 20 > hard.reports.count && repeated(plain) == 0)
  }

  @Test func `customers have no id, a changing one, a relative's, or one with a fifth of all`()
    throws
  {
    let hard = try HardLines([.anonymous])
    #expect(hard.records.count { $0.customerID == nil } * 6 > hard.records.count)
    #expect(plain.records.allSatisfy { $0.customerID != nil })
    var chainsOf: [String: Set<String>] = [:]
    var idsOf: [String: Set<String>] = [:]
    for record in hard.records {
      for row in record.rows {
        guard let id = record.customerID else { continue }
        chainsOf[id, default: []].insert(row.chain)
        idsOf[row.chain, default: []].insert(id)
      }
    }
    let all = Set(hard.records.flatMap(\.rows).map(\.chain)).count
    #expect(chainsOf.values.contains { $0.count * 8 > all }, "the placeholder")
    #expect(idsOf.values.count { $0.count > 1 } > 10, "changing ids")
    #expect(chainsOf.keys.count { $0.hasPrefix("home-") } > 5, "relatives")
  }

  @Test func `faulty versions report cents, old prices, other products' and other currencies`()
    throws
  {
    let hard = try HardLines([.appBug])
    func cents(_ lines: HardLines) -> Int {
      Dictionary(grouping: lines.reports, by: { "\($0.product) \($0.currency)" }).values
        .reduce(0) { sum, reports in
          let usual = HardLines.usualPrice(reports)
          return sum + reports.count { $0.price > usual * 50 && $0.currency != "JPY" }
        }
    }
    func currencies(_ lines: HardLines) -> Int {
      lines.placed.count { $0.key.contains("JPN USD") || $0.key.contains("DEU USD") }
    }
    #expect(cents(hard) > 3 && cents(plain) == 0)
    #expect(currencies(hard) > 0 && currencies(plain) == 0)
  }

  @Test func `rows get another end, and chains begin before the exports and lack their first rows`()
    throws
  {
    let hard = try HardLines([.extensions])
    func extended(_ lines: HardLines) -> Int {
      var ends: [String: Set<Int64>] = [:]
      for row in lines.records.flatMap(\.rows) {
        if let end = row.expiresAt { ends[row.id, default: []].insert(end) }
      }
      return ends.values.count { $0.count > 1 }
    }
    func headless(_ lines: HardLines) -> Int {
      lines.chains.count { $0[0].expiresAt != nil && $0[0].id != $0[0].chain }
    }
    func older(_ lines: HardLines) -> Int {
      lines.chains.count { $0[0].purchasedAt < Self.start }
    }
    #expect(extended(hard) > 20 && extended(plain) == 0)
    #expect(headless(hard) > 20 && headless(plain) == 0)
    #expect(older(hard) > 20 && older(plain) == 0)
  }

  @Test func `consents are asked, given and refused, beside catalogued rises`() throws {
    let hard = try HardLines([.consent], customers: 800)
    let answers = hard.records.flatMap(\.consents)
    #expect(answers.contains("0") && answers.contains("1"))
    #expect(plain.records.allSatisfy { $0.consents.isEmpty })
    let catalogue = hard.store.accompanyingFiles().first { $0.name == "catalog.yaml" }?.bytes ?? []
    let text = String(decoding: catalogue, as: UTF8.self)
    #expect(text.contains("preserved") && text.contains("moved"))
  }

  @Test func `prices fall for a fortnight and come back`() throws {
    let hard = try HardLines([.sales])
    #expect(dips(hard) >= 2)
    #expect(dips(plain) == 0)
  }

  /// The number of products and currencies with a temporary price cut.
  ///
  /// Three phones show the lower price within sixteen days, and the higher price is shown before
  /// and after.
  private func dips(_ lines: HardLines) -> Int {
    Dictionary(grouping: lines.reports, by: { "\($0.product) \($0.currency)" }).values.count {
      reports in
      let usual = HardLines.usualPrice(reports)
      return Dictionary(grouping: reports.filter { $0.price < usual }, by: \.price).values
        .contains { low in
          let times = low.map(\.reportedAt).sorted()
          guard times.count >= 3, let first = times.first, let last = times.last else {
            return false
          }
          return last - first < 16 * HardLines.day
            && reports.contains { $0.price == usual && $0.reportedAt < first }
            && reports.contains { $0.price == usual && $0.reportedAt > last }
        }
    }
  }

  @Test func `a fifth of the phones report half the price`() throws {
    let hard = try HardLines([.adversarial])
    func liars(_ lines: HardLines) -> (Int, of: Int) {
      var halves: Set<String> = []
      for reports in Dictionary(grouping: lines.reports, by: { "\($0.product) \($0.currency)" })
        .values
      {
        let usual = HardLines.usualPrice(reports)
        for report in reports where abs(report.price - usual / 2) < 0.006 {
          halves.insert(report.customerID ?? "")
        }
      }
      return (halves.count, Set(lines.reports.compactMap(\.customerID)).count)
    }
    let found = liars(hard)
    #expect(found.0 * 100 > found.of * 8 && found.0 * 100 < found.of * 25, "\(found)")
    #expect(liars(plain).0 * 100 < liars(plain).of)
  }

  @Test func `offers follow each other`() throws {
    let hard = try HardLines([.offers])
    func offers(_ lines: HardLines) -> (rows: Int, pairs: Int) {
      let rows = lines.chains.flatMap { $0 }.count { $0.offer != nil }
      let pairs = lines.chains.reduce(0) { sum, rows in
        sum
          + zip(rows, rows.dropFirst()).count { one, next in
            one.offer != nil && next.offer != nil && one.offer != next.offer
          }
      }
      return (rows, pairs)
    }
    #expect(offers(hard).rows > offers(plain).rows * 2)
    #expect(offers(hard).pairs > 10 && offers(hard).pairs > offers(plain).pairs * 2)
  }

  @Test func `one customer in twenty reports`() throws {
    let hard = try HardLines([.sparse])
    func share(_ lines: HardLines) -> Int {
      Set(lines.reports.compactMap(\.customerID)).count * 100
        / Set(lines.records.compactMap(\.customerID)).count
    }
    #expect((2...9).contains(share(hard)), "\(share(hard)) %")
    #expect(share(plain) > 60)
  }
}
