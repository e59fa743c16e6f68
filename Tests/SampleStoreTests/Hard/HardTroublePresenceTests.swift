internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Each difficulty of real stores, counted in the exports of its store and of a store without it.
///
/// Only long runs make these stores, which takes minutes.
@Suite(.enabled(if: LongTests.areOn))
struct HardTroublePresenceTests {
  private static let plain = Result { try HardLines([]) }
  private let plain: HardLines

  init() throws { plain = try Self.plain.get() }

  private func reports(_ lines: HardLines, where holds: (HardLines.Report) -> Bool) -> Int {
    lines.reports.count(where: holds)
  }

  /// The reports with a price that is a multiple of the usual price of their product and currency.
  ///
  /// The multiple is in the given range.
  private func reports(_ lines: HardLines, at times: ClosedRange<Double>) -> Int {
    Dictionary(grouping: lines.reports, by: { "\($0.product) \($0.currency)" }).values
      .reduce(0) { sum, reports in
        let usual = HardLines.usualPrice(reports)
        return sum + reports.count { times.contains($0.price / usual) }
      }
  }

  @Test func `two apps sell equal ids at two prices in one currency`() throws {
    let hard = try HardLines([.severalApps])
    #expect(reports(hard) { $0.text.contains("app.paidline.second") } > 100)
  }

  @Test func `one id speaks of purchases in two countries, within a day`() throws {
    let hard = try HardLines([.sharedDevices])
    func contradicted(_ lines: HardLines) -> Int {
      var places: [String: String] = [:]
      for record in lines.records {
        for row in record.rows where row.purchasedAt > record.requestedAt - 60_000 {
          places[row.id] = record.storefront
        }
      }
      return lines.reports.count { report in
        guard let place = report.transaction.flatMap({ places[$0] }), let own = report.storefront,
          own.count == 3
        else { return false }
        return own != place
      }
    }
    #expect(contradicted(hard) > 5 && contradicted(plain) == 0)
  }

  @Test func `introductory prices equal the regular ones`() throws {
    let hard = try HardLines([.sdkIntroductory])
    func equal(_ lines: HardLines) -> Int {
      lines.reports.count { report in
        let parts = report.text.components(after: "\"introductory_price\":{\"price\":")
        return parts.first == report.price
      }
    }
    #expect(equal(hard) > 50)
    #expect(equal(plain) * 10 < equal(hard))
  }

  @Test func `yen have the digits of dollars`() throws {
    let hard = try HardLines([.sdkDollars])
    func small(_ lines: HardLines) -> Int {
      reports(lines) { $0.currency == "JPY" && $0.price < 100 }
    }
    #expect(small(hard) > 5 && small(plain) == 0)
  }

  @Test func `prices have the digits of 32-bit floats`() throws {
    let hard = try HardLines([.sdkFloats])
    func long(_ lines: HardLines) -> Int {
      reports(lines) { abs(($0.price * 1000).rounded() - $0.price * 1000) > 1e-6 }
    }
    #expect(long(hard) * 10 > hard.reports.count && long(plain) == 0)
  }

  @Test func `years cost a twelfth`() throws {
    let hard = try HardLines([.sdkMonths])
    #expect(reports(hard, at: 0.07...0.09) > 10 && reports(plain, at: 0.07...0.09) == 0)
  }

  @Test func `coins cost as much as all that were bought`() throws {
    let hard = try HardLines([.sdkQuantities], customers: 900)
    #expect(reports(hard, at: 1.9...5.1) > 0)
    #expect(reports(plain, at: 1.9...5.1) == 0)
  }

  @Test func `some rows without a mark were free`() throws {
    let hard = try HardLines([.promoCodes], customers: 800)
    func free(_ lines: HardLines) -> Int {
      lines.store.truth.purchases.count {
        $0.exclusion.isEmpty && $0.paidMilli == 0 && ["regular", "one_time"].contains($0.kind)
      }
    }
    #expect(free(hard) > 5 && free(plain) == 0)
  }

  @Test func `reports name purchases of another product`() throws {
    let hard = try HardLines([.priceTests])
    func foreign(_ lines: HardLines) -> Int {
      var products: [String: String] = [:]
      for row in lines.records.flatMap(\.rows) { products[row.id] = row.product }
      return lines.reports.count { report in
        report.transaction.flatMap { products[$0] }.map { $0 != report.product } ?? false
      }
    }
    #expect(foreign(hard) > 3 && foreign(plain) == 0)
  }

  @Test func `one storefront of a currency gets prices of its own on one day`() throws {
    let hard = try HardLines([.taxChanges], customers: 900)
    func odd(_ lines: HardLines) -> Int {
      Dictionary(
        grouping: lines.reports.filter { $0.product == "coins.small" && $0.storefront != nil },
        by: { $0.storefront ?? "" }
      ).values.count { Set($0.map(\.price)).count > 1 }
    }
    #expect(odd(hard) > odd(plain))
  }

  @Test func `forint lose two zeros`() throws {
    let hard = try HardLines([.currencyReform])
    func small(_ lines: HardLines) -> Int {
      reports(lines) { $0.currency == "HUF" && $0.price < 200 }
    }
    #expect(small(hard) > 10 && small(plain) == 0)
  }

  @Test func `weeks hold no record at all`() throws {
    let hard = try HardLines([.lostWeeks])
    func longestGap(_ lines: HardLines) -> Int64 {
      let times = lines.records.map(\.requestedAt).sorted()
      return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    }
    #expect(longestGap(hard) > longestGap(plain) + 3 * HardLines.day)
  }

  @Test func `few reports name their purchase`() throws {
    let hard = try HardLines([.askToBuy])
    func share(_ lines: HardLines) -> Int {
      lines.reports.count { $0.transaction != nil } * 100 / lines.records.count
    }
    #expect(share(hard) * 10 < share(plain) * 8)
  }

  @Test func `reports are dated 1970, 2001 and 2565`() throws {
    let hard = try HardLines([.oddDates])
    for year in ["\"1970-", "\"2001-", "\"256"] {
      #expect(reports(hard) { $0.text.contains("reported_at\":\(year)") } > 0, "\(year)")
    }
    #expect(reports(plain) { !$0.text.contains("reported_at\":\"202") } == 0)
  }

  @Test func `upgrades are refunded`() throws {
    let hard = try HardLines([.upgradeRefunds])
    func reversed(_ lines: HardLines, _ kind: String) -> Int {
      lines.store.truth.purchases.count { $0.reversal == kind }
    }
    #expect(reversed(hard, "upgrade") > 3 * reversed(plain, "upgrade"))
    #expect(reversed(hard, "refund") > reversed(plain, "refund"))
  }

  @Test func `forty customers live in many countries`() throws {
    let hard = try HardLines([.smallShop])
    #expect(Set(hard.records.compactMap(\.customerID)).count <= 40)
    #expect(Set(hard.reports.compactMap(\.storefront)).count >= 12)
  }

  @Test func `renewals are reported like purchases`() throws {
    let hard = try HardLines([.replayedPurchases])
    func renewals(_ lines: HardLines) -> Int {
      var isLater: Set<String> = []
      for rows in lines.chains { for row in rows.dropFirst() { isLater.insert(row.id) } }
      return lines.reports.count { $0.transaction.map(isLater.contains) ?? false }
    }
    #expect(renewals(hard) > renewals(plain) * 3)
  }

  @Test func `euros lose their comma, dollars keep their point`() throws {
    let hard = try HardLines([.commaPrices])
    #expect(reports(hard, at: 95...105) > 50 && reports(plain, at: 95...105) == 0)
    #expect(reports(hard) { $0.storefront == "USA" && $0.price > 500 } == 0)
  }

  @Test func `reports name one country beside the money of another`() throws {
    let hard = try HardLines([.accountSwitch], customers: 1_500)
    func mixed(_ lines: HardLines) -> Int {
      let places = Dictionary(
        grouping: lines.reports.filter { $0.storefront?.count == 3 }, by: { $0.storefront ?? "" })
      return places.values.reduce(0) { sum, reports in
        let currencies = Dictionary(grouping: reports, by: \.currency).mapValues(\.count)
        return sum + reports.count - (currencies.values.max() ?? 0)
      }
    }
    #expect(mixed(hard) > 3 && mixed(plain) == 0)
  }
}

extension String {
  /// The numbers directly after each occurrence of a text, without quotation marks.
  fileprivate func components(after text: String) -> [Double] {
    split(separator: text).dropFirst().compactMap { part in
      Double(part.drop { $0 == "\"" }.prefix { $0.isNumber || $0 == "." })
    }
  }
}
