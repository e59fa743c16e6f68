internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// What each world with tables as owners have them contains, and that a store without it does not.
///
/// Only long runs make these stores, which takes minutes.
@Suite(.enabled(if: LongTests.areOn))
struct HardWorldPresenceTests {
  private static let plain = Result { try HardLines([]) }
  private let plain: HardLines

  init() throws { plain = try Self.plain.get() }

  private func reports(_ lines: HardLines, where holds: (HardLines.Report) -> Bool) -> Int {
    lines.reports.count(where: holds)
  }

  @Test func `rows of a month have the id of a yearly plan`() throws {
    let hard = try HardLines([.commitment])
    func months(_ lines: HardLines) -> Int {
      lines.chains.joined().count { row in
        row.product == "studio.year" && !row.isTrial && !row.isIntro && row.offer == nil
          && row.expiresAt.map { $0 - row.purchasedAt < 40 * HardLines.day } == true
      }
    }
    #expect(months(hard) > 200 && months(plain) == 0)
  }

  @Test func `a customer has one report of a product, from the first day with the last price`()
    throws
  {
    let hard = try HardLines([.upsertReports])
    func late(_ lines: HardLines) -> Int {
      reports(lines) { $0.exportedAt - $0.reportedAt > 60 * HardLines.day }
    }
    #expect(late(hard) > 100 && late(plain) == 0)
  }

  @Test func `prices end at their comma`() throws {
    let hard = try HardLines([.parseFloat])
    func whole(_ lines: HardLines) -> Int {
      reports(lines) { $0.currency == "EUR" && $0.price == $0.price.rounded() }
    }
    func small(_ lines: HardLines) -> Int {
      reports(lines) { $0.currency == "JPY" && $0.price < 10 }
    }
    #expect(whole(hard) > 20 && whole(plain) == 0)
    #expect(small(hard) > 2 && small(plain) == 0)
  }

  @Test func `reports have order ids of another store, or its name`() throws {
    let hard = try HardLines([.otherStore])
    func other(_ lines: HardLines) -> (orders: Int, names: Int) {
      (
        reports(lines) { $0.transaction?.hasPrefix("GPA.") == true },
        reports(lines) { $0.text.contains("\"platform\":") }
      )
    }
    #expect(other(hard).orders > 300 && other(hard).names > 300)
    #expect(other(plain) == (0, 0))
  }

  @Test func `transactions have the ids of test files`() throws {
    let hard = try HardLines([.testFiles])
    func tests(_ lines: HardLines) -> Int { reports(lines) { $0.transaction?.count == 1 } }
    #expect(tests(hard) > 50 && tests(plain) == 0)
  }

  @Test func `reports name one product and the purchase of its successor`() throws {
    let hard = try HardLines([.renamedProducts])
    func confused(_ lines: HardLines) -> Int {
      var products: [String: String] = [:]
      for row in lines.chains.joined() { products[row.id] = row.product }
      return reports(lines) { report in
        let bought = report.transaction.flatMap { products[$0] } ?? report.product
        return bought != report.product
      }
    }
    #expect(confused(hard) > 40 && confused(plain) == 0)
    #expect(hard.chains.contains { Set($0.map(\.product)).isSuperset(of: Self.pair) })
  }

  private static let pair = ["studio.month", "studio.month.v2"]

  @Test func `decoded transactions and rows of a table have what was paid`() throws {
    for world in [HardPhenomenon.decoded, .charges, .webhooks] {
      let hard = try HardLines([world])
      let kept = hard.store.truth.purchases.count { $0.evidence == "charged" }
      #expect(kept > 150, "\(world)")
      #expect(hard.charges.count >= kept)
    }
    #expect(plain.charges.isEmpty)
  }

  @Test func `records name countries whose currency no report has`() throws {
    let hard = try HardLines([.ipCountry])
    func foreign(_ lines: HardLines) -> Int {
      reports(lines) { $0.storefront == "USA" && $0.currency != "USD" }
    }
    #expect(foreign(hard) > 20 && foreign(plain) == 0)
  }

  @Test func `an introductory price of 0 is paid as you go`() throws {
    let hard = try HardLines([.zeroOffers])
    func zero(_ lines: HardLines) -> Int {
      reports(lines) {
        $0.text.contains("\"introductory_price\":{\"price\":0,\"payment_mode\":\"pay_as_you_go\"")
          || $0.text.contains(
            "\"introductory_price\":{\"price\":\"0.00\",\"payment_mode\":\"pay_as_you_go\"")
      }
    }
    #expect(zero(hard) > 100 && zero(plain) == 0)
  }

  @Test func `coins cost a third or three times as much in some countries`() throws {
    let hard = try HardLines([.regionalPricing], customers: 900)
    func steps(_ lines: HardLines) -> Int {
      Dictionary(
        grouping: lines.reports.filter { $0.product == "coins.small" && $0.storefront != nil },
        by: { "\($0.storefront ?? "") \($0.currency)" }
      ).values.count { prices in
        let all = prices.map(\.price)
        return (all.max() ?? 0) > 2.4 * (all.min() ?? 1)
      }
    }
    #expect(steps(hard) >= 3 && steps(plain) == 0)
  }

  @Test func `forty ids and more send one receipt`() throws {
    let hard = try HardLines([.restoreStorm])
    func storms(_ lines: HardLines) -> Int {
      var ids: [String: Set<String>] = [:]
      for record in lines.records {
        guard let chain = record.rows.first?.chain else { continue }
        ids[chain, default: []].insert(record.customerID ?? "")
      }
      return ids.values.count { $0.count >= 40 }
    }
    #expect((10...14).contains(storms(hard)) && storms(plain) == 0)
  }

  @Test func `children's reports name purchases that come hours later`() throws {
    let hard = try HardLines([.askToBuyUndated])
    func early(_ lines: HardLines) -> Int {
      var times: [String: Int64] = [:]
      for row in lines.chains.joined() { times[row.id] = row.purchasedAt }
      return reports(lines) { report in
        report.transaction.flatMap { times[$0] }.map { $0 - report.reportedAt > 3_500_000 } ?? false
      }
    }
    #expect(early(hard) > 10 && early(plain) == 0)
  }

  @Test func `a report and the record of its minute name the country of the other person`() throws {
    func mixed(_ lines: HardLines) -> Int {
      var places: [String: Set<String>] = [:]
      for record in lines.records {
        guard let id = record.customerID, let storefront = record.storefront else { continue }
        for row in record.rows where row.purchasedAt > record.requestedAt - 60_000 {
          places[id + row.chain, default: []].insert(storefront)
        }
      }
      return places.values.count { $0.count > 1 }
    }
    #expect(try mixed(HardLines([.sharedMoments], customers: 800)) > 3 && mixed(plain) == 0)
  }

  @Test func `later reports name the first transaction`() throws {
    let hard = try HardLines([.originalIDs])
    func late(_ lines: HardLines) -> Int {
      var times: [String: Int64] = [:]
      for row in lines.chains.joined() { times[row.id] = row.purchasedAt }
      return reports(lines) { report in
        report.transaction.flatMap { times[$0] }.map {
          report.reportedAt - $0 > 10 * HardLines.day
        } ?? false
      }
    }
    #expect(late(hard) > 200 && late(plain) == 0)
  }

  @Test func `prices are whole for some weeks`() throws {
    let hard = try HardLines([.roundedPrices])
    func whole(_ lines: HardLines) -> Int {
      reports(lines) { $0.currency == "USD" && $0.price == $0.price.rounded() }
    }
    #expect(whole(hard) > 30 && whole(plain) == 0)
  }

  @Test func `a plan has the price of its offer`() throws {
    let hard = try HardLines([.paywallPrices])
    func low(_ lines: HardLines) -> Int {
      Dictionary(
        grouping: lines.reports.filter { $0.product == "studio.month" }, by: \.currency
      ).values.reduce(0) { sum, reports in
        let usual = HardLines.usualPrice(reports)
        return sum + reports.count { $0.price < usual * 0.6 }
      }
    }
    #expect(low(hard) > 20 && low(plain) == 0)
  }

  @Test func `no phone reports`() throws {
    #expect(try HardLines([.silent]).reports.isEmpty)
  }
}
