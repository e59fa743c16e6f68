internal import Amounts
internal import Deciding
internal import ExchangeRates
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import TestSupport
internal import Testing

/// Terms that most tests use: a commission of 30 and 15 %, without tax.
private let plain = ProceedsTerms(
  commissions: ProceedsTerms.standardCommissions, smallBusiness: [],
  taxes: [
    ProceedsTerms.Tax(
      storefront: nil, from: day("2008-07-10"), rate: BasisPoints(0), isIncluded: false)
  ])

/// The estimated commission and tax rates of one chain's rows, each after its transaction id.
private func shares(
  of rows: [StoreRow], storefront: String = "USA", terms: ProceedsTerms = plain
) throws -> [String] {
  var store = StoreBuilder()
  store.record(at: "2025-01-01", customer: "c", storefront: storefront, latest: rows)
  store.report(
    at: "2020-01-01", customer: "c", storefront: storefront, currency: "USD", price: "9.99")
  let built = store.build()
  let decided = try DecidedStore(built.observations, catalogue: built.catalogue).decided
  let book = decided.purchases
  let found = proceedsShares(
    book: book, timelines: decided.timelines, amounts: decided.amounts, terms: terms)
  return book.purchases.indices.map { row in
    let share = found[row]
    let commission = share.commission.map { String($0.rawValue) } ?? "?"
    let tax = share.tax.map { String($0.rawValue) } ?? "?"
    return "\(built.text(book.purchases[row].transactionID)) \(commission) \(tax)"
  }
}

/// Consecutive months from January 1 of a year, with the ids m1, m2, and so on.
private func months(from year: Int = 2020, count: Int = 13) -> [StoreRow] {
  (0..<count).map { index in
    func first(_ month: Int) -> String {
      let text = "0\(month % 12 + 1)".suffix(2)
      return "\(year + month / 12)-\(text)-01"
    }
    return StoreRow(
      "m\(index + 1)", of: "m1", bought: first(index), until: first(index + 1), trial: false)
  }
}

struct ProceedsTests {
  @Test func `after twelve months Apple keeps less`() throws {
    // 2020 is a leap year: 366 days before the thirteenth month, 335 before the twelfth.
    let found = try shares(of: months())
    #expect(found.prefix(12).allSatisfy { $0.hasSuffix(" 3000 0") })
    #expect(found.last == "m13 1500 0")
  }

  @Test func `a year is 365 days, so the second year of a plan is cheaper`() throws {
    #expect(
      try shares(of: [
        StoreRow("y1", bought: "2021-03-08", until: "2022-03-08", trial: false),
        StoreRow("y2", of: "y1", bought: "2022-03-08", until: "2023-03-08", trial: false),
      ]) == ["y1 3000 0", "y2 1500 0"])
  }

  @Test func `the tax that Apple states replaces the catalogue's`() throws {
    var stated = StoreRow("a", bought: "2025-03-01", until: "2025-04-01", trial: false)
    stated.signed = StoreTerms("9.99 USD")
    stated.signed?.tax = 825
    let other = StoreRow("b", of: "a", bought: "2025-04-01", until: "2025-05-01", trial: false)
    #expect(try shares(of: [stated, other]) == ["a 3000 825", "b 3000 0"])
  }

  @Test func `a trial is no paid service`() throws {
    // The week is 7 free days, which are not paid service. So m13 follows 366 paid days, as without
    // the trial.
    let trial = StoreRow("t", of: "t", bought: "2019-12-25", until: "2020-01-01", trial: true)
    var rows = months()
    for index in rows.indices { rows[index].original = "t" }
    let found = try shares(of: [trial] + rows)
    #expect(found.filter { $0.contains(" 1500 ") } == ["m13 1500 0"])
  }

  @Test func `a refunded month is no paid service`() throws {
    // Without June (30 days) there are 366 − 30 = 336 days before m13, and 367 before m14.
    var rows = months(count: 14)
    rows[5].cancelled = "2020-06-15"
    #expect(try shares(of: rows).filter { $0.contains(" 1500 ") } == ["m14 1500 0"])
  }

  @Test func `of an upgraded row only the part before its successor counts`() throws {
    // A yearly plan that is left after 100 days: only these 100 days are included.
    #expect(
      try shares(of: [
        StoreRow(
          "a", product: "year", bought: "2021-01-01", until: "2022-01-01", trial: false,
          upgraded: true),
        StoreRow("b", of: "a", bought: "2021-04-11", until: "2021-10-11", trial: false),
        // 100 + 183 = 283 days so far. If the first row were not cut, it would be 548.
        StoreRow("c", of: "a", bought: "2021-10-11", until: "2022-01-11", trial: false),
        // 283 + 92 = 375 days.
        StoreRow("d", of: "a", bought: "2022-01-11", until: "2022-02-11", trial: false),
      ]) == ["a 3000 0", "b 3000 0", "c 3000 0", "d 1500 0"])
  }

  @Test(arguments: [("2022-03-02", "1500"), ("2022-03-03", "3000")])
  func `a break of sixty days stops the clock, a longer one starts it anew`(
    _ day: String, commission: String
  ) throws {
    // The year ends on 2022-01-01; March 2 is 60 days later.
    #expect(
      try shares(of: [
        StoreRow("a", bought: "2021-01-01", until: "2022-01-01", trial: false),
        StoreRow("b", of: "a", bought: day, until: "2022-04-02", trial: false),
      ]) == ["a 3000 0", "b \(commission) 0"])
  }

  @Test func `Apple's share of a purchase that does not renew never falls`() throws {
    #expect(
      try shares(of: [StoreRow("coins", product: "coins", bought: "2021-01-01")])
        == ["coins 3000 0"])
  }

  @Test func `in the small business programme everything is reduced, on its days alone`() throws {
    var terms = plain
    terms.smallBusiness = [
      ProceedsTerms.SmallBusiness(from: day("2021-01-01"), through: day("2021-01-31")),
      ProceedsTerms.SmallBusiness(from: day("2022-06-01"), through: nil),
    ]
    #expect(
      try shares(
        of: [
          StoreRow("a", product: "coins", bought: "2020-12-31T23:59:59Z"),
          StoreRow("b", product: "gems", bought: "2021-01-01"),
          StoreRow("c", product: "hats", bought: "2021-01-31T23:59:59Z"),
          StoreRow("d", product: "cups", bought: "2021-02-01"),
          StoreRow("e", product: "dogs", bought: "2024-12-31"),
        ], terms: terms) == ["a 3000 0", "b 1500 0", "c 1500 0", "d 3000 0", "e 1500 0"])
  }

  @Test func `a storefront's own terms go before the ones for all others`() throws {
    let terms = ProceedsTerms(
      commissions: ProceedsTerms.standardCommissions + [
        ProceedsTerms.Commission(
          storefront: storefront("CHN"), from: day("2026-03-15"), standard: BasisPoints(2500),
          reduced: BasisPoints(1200))
      ],
      smallBusiness: [],
      taxes: [
        ProceedsTerms.Tax(
          storefront: storefront("DEU"), from: day("2007-01-01"), rate: BasisPoints(1900),
          isIncluded: true),
        ProceedsTerms.Tax(
          storefront: storefront("DEU"), from: day("2020-07-01"), rate: BasisPoints(1600),
          isIncluded: true),
        ProceedsTerms.Tax(
          storefront: storefront("USA"), from: day("2008-07-10"), rate: BasisPoints(700),
          isIncluded: false),
      ])
    func one(_ day: String, _ storefront: String) throws -> [String] {
      try shares(
        of: [StoreRow("a", product: "coins", bought: day)], storefront: storefront, terms: terms)
    }
    // 19 of 119 are 1,596.6 of 10,000, and 16 of 116 are 1,379.3.
    #expect(try one("2020-06-30", "DEU") == ["a 3000 1597"])
    #expect(try one("2020-07-01", "DEU") == ["a 3000 1379"])
    // In the United States tax is added to the price, so none of the price is tax.
    #expect(try one("2020-06-30", "USA") == ["a 3000 0"])
    #expect(try one("2020-06-30", "FRA") == ["a 3000 ?"])
    #expect(try one("2026-03-14", "CHN") == ["a 3000 ?"])
    #expect(try one("2026-03-15", "CHN") == ["a 2500 ?"])
    #expect(try one("2008-07-09", "USA") == ["a ? ?"])
  }
}

struct ReportingConverterTests {
  private let euros = ReportingCurrency(currency("EUR"), rates: ExchangeRates())

  private func share(_ commission: Int32?, tax: Int32?) -> ProceedsShare {
    var share = ProceedsShare()
    share.commission = commission.map { BasisPoints($0) }
    share.tax = tax.map { BasisPoints($0) }
    return share
  }

  private func proceeds(_ share: ProceedsShare, of paid: Milliunits?, in code: String? = "EUR")
    throws -> Micros?
  {
    let book = ReportingConverter(currency: euros, shares: [share])
    return try book.reported(
      paid, in: code.map(currency), on: day("2021-05-03"), share: book.share(ofRow: 0)
    ).proceeds
  }

  @Test func `proceeds are what tax and commission leave`() throws {
    // 9.99 × (1 − 0.1597) × (1 − 0.30) = 9.99 × 0.58821 = 5.8762179
    #expect(try proceeds(share(3000, tax: 1597), of: Milliunits(9990)) == Micros(5_876_218))
    // 9.99 × 0.85 = 8.4915
    #expect(try proceeds(share(1500, tax: 0), of: Milliunits(9990)) == Micros(8_491_500))
  }

  @Test func `unknown amounts have unknown proceeds`() throws {
    #expect(try proceeds(share(3000, tax: nil), of: Milliunits(9990)) == nil)
    #expect(try proceeds(share(nil, tax: 0), of: Milliunits(9990)) == nil)
    #expect(try proceeds(share(3000, tax: 0), of: nil) == nil)
    #expect(try proceeds(share(3000, tax: 0), of: Milliunits(9990), in: "USD") == nil)
    // The proceeds of 0 are 0, whatever the rates.
    #expect(try proceeds(share(nil, tax: nil), of: .zero, in: nil) == .zero)
  }

  @Test func `without terms there is no estimate, without a currency nothing at all`() throws {
    let monday = day("2021-05-03")
    let usd = currency("USD")
    let onlyRates = ReportingConverter(currency: ReportingCurrency(usd, rates: ExchangeRates()))
    let noTerms = try onlyRates.reported(
      Milliunits(9990), in: usd, on: monday, share: onlyRates.share(ofRow: 0))
    #expect(noTerms.paid?.micros == Micros(9_990_000))
    #expect(noTerms.proceeds == nil)
    let onlyTerms = ReportingConverter(shares: [share(3000, tax: 0)])
    let nothing = try onlyTerms.reported(
      Milliunits(9990), in: usd, on: monday, share: onlyTerms.share(ofRow: 0))
    #expect(nothing.paid == nil)
    #expect(nothing.proceeds == nil)
    #expect(nothing.share == share(3000, tax: 0))
    #expect(try ReportingConverter().entry(Milliunits(1), in: usd, on: monday) == nil)
  }
}
