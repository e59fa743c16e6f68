internal import Amounts
internal import Parallel
public import PurchaseModel
internal import Synchronization

/// Infers from price reports which prices were in force, when, and in which storefronts.
///
/// The first passes compare each report's currency with its storefront, and each price with the
/// reports of other voters. From the believed reports a first history is inferred. Then the
/// history is inferred again without the reports that many voters contradict. No pass depends on
/// the order of reports.
///
/// Example: in March ten voters report 9.99 USD, an eleventh 999.00 and a twelfth 4.99. The history
/// has 9.99; the report of 999.00 is a unit error, the report of 4.99 is outvoted, and each report
/// of 9.99 is confirmed.
///
/// If a price change without an app explains a rise of an app's price, the prices are learned once
/// more with the change's date: see ``Catalogue/adopting(_:_:_:)``.
///
/// - Parameters:
///   - placed: The placed reports, sorted by evidence id.
///   - workers: The number of threads; the result does not depend on this number.
public func learnPrices(
  from placed: [PlacedReport], offers: OfferLists, catalogue: Catalogue,
  times: SaleTimes = SaleTimes(), workers: Int = 1
) -> PriceBook {
  func book(_ dated: Catalogue) -> PriceBook {
    PriceInference(placed, offers: offers, catalogue: dated, times: times, workers: workers)
      .book(catalogue)
  }
  let first = book(catalogue)
  let dated = catalogue.adopting(first.history, first.apart, first.markets)
  return dated == catalogue ? first : book(dated)
}

/// The input that all passes of ``learnPrices(from:offers:catalogue:times:workers:)`` use.
struct PriceInference: Sendable {
  let table: VoteTable
  /// The reports to compare; reports that are rejected because of a doubted unit or of lost
  /// decimals are left out.
  private(set) var members: MarketReports
  /// The storefronts in which the unit of prices is doubtful.
  private(set) var unitDoubts: [UnitDoubt] = []
  /// The reports whose prices lost their decimals.
  private(set) var cutReports: [CutReport] = []
  let listed: ListedPrices
  let currencies: StorefrontCurrencies
  let workers: Int

  init(
    _ given: [PlacedReport], offers: OfferLists, catalogue: Catalogue, times: SaleTimes,
    workers: Int
  ) {
    var placed = ComparedReports(given, times: times, workers: workers)
    placed.separateInstalments(catalogue)
    let markets = Markets(reports: placed, catalogue: catalogue)
    currencies = StorefrontCurrencies(placed)
    placed.contest(by: currencies)
    members = MarketReports(placed, markets: markets, workers: workers)
    table = VoteTable(placed: placed, offers: offers, markets: markets, catalogue: catalogue)
    listed = ListedPrices(catalogue, markets: markets)
    self.workers = workers
    unitDoubts = unsettled(findUnitDoubts())
    cutReports = findCutDecimals()
    members.leaveOut(Set(unitDoubts.flatMap(\.reports) + cutReports.map(\.position)))
  }

  /// Returns true if a report agrees with the fetched price list; `nil` if the list has no price to
  /// compare.
  func agrees(_ position: Int) -> Bool? {
    guard !listed.isEmpty else { return nil }
    let report = table.placed[position]
    return table.markets.index(of: report).flatMap {
      listed.agrees(report.price, $0, in: report.place, at: report.time)
    }
  }

  var markets: [MarketIndex] { (0..<Int32(table.markets.count)).map(MarketIndex.init) }

  /// Learns the prices.
  ///
  /// - Parameter catalogue: The catalogue as the owner entered it.
  func book(_ catalogue: Catalogue) -> PriceBook {
    let guide = currencyGuide()
    var reportVerdicts = verdictsWithoutHistory(guide)
    let apart = separateStorefronts(reportVerdicts.believed)
    contest(&reportVerdicts, apart: apart)
    var first = history(apart: apart, believed: reportVerdicts.believed)
    var outvoted = reportVerdicts
    outvote(&outvoted, apart: apart, history: first)
    let amounts = amountsInDollars(
      outvoted, believed: reportVerdicts.believed, history: first)
    if amounts.isEmpty {
      reportVerdicts = outvoted
    } else {
      for (report, cause) in amounts {
        reportVerdicts.distrust(report, for: table.placed[cause].evidenceID)
      }
      first = history(apart: apart, believed: reportVerdicts.believed)
      outvote(&reportVerdicts, apart: apart, history: first)
    }
    let second = history(
      apart: apart, believed: reportVerdicts.believed,
      discounted: DiscountedIntroductions(first.intervals))
    confirm(&reportVerdicts, apart: apart, history: second, guide)
    outnumber(&reportVerdicts, apart: apart, history: second)
    judgeMisplaced(&reportVerdicts, apart: apart, history: second)
    // Runs last: these faults do not cause distrust of the voter's other reports.
    for position in unitDoubts.flatMap(\.reports) where !table.placed[position.index].isCharge {
      reportVerdicts.setVerdict(position, .unitError, reference: nil)
    }
    for report in cutReports {
      reportVerdicts.setVerdict(report.position, .unitError, reference: report.whole)
    }
    return PriceBook(
      markets: table.markets, apart: apart, history: second, currencies: currencies,
      reportVerdicts: reportVerdicts, doubtedUnits: unitDoubts.map(\.unit),
      catalogue: catalogue)
  }

  /// Decides on each report before a price history exists.
  private func verdictsWithoutHistory(_ guide: CurrencyGuide) -> ReportVerdicts {
    var initialVerdicts = ReportVerdicts(of: table.placed)
    for (position, report) in table.placed.enumerated() {
      guard let verdict = report.setAside else { continue }
      initialVerdicts.setVerdict(ReportPosition(position), verdict, reference: nil)
    }
    let reportVerdicts = Mutex(initialVerdicts)
    _ = inParallel(markets.count, workers: workers) { number in
      let market = markets[number]
      let storedVerdicts = Plausibility.verdicts(
        members[market], product: table.catalogue.product(of: market, in: table.markets),
        rebased: table.catalogue.rebased(table.markets.currency(market)),
        currency: table.markets.currency(market), guide: { guide.estimate(of: market) },
        dollars: { pricesInDollars(beside: market) })
      reportVerdicts.withLock { reportVerdicts in
        for storedVerdict in storedVerdicts {
          let position = storedVerdict.position.index
          var (verdict, reference) = againstList(storedVerdict, market)
          if table.placed[position].isCharge {
            verdict = Self.verdict(onCharge: table.placed[position].price, verdict, reference)
          }
          reportVerdicts.setVerdict(
            storedVerdict.position,
            table.placed[position].isSigned || agrees(position) == true
              ? .believed
              : table.placed.isMismatch(storedVerdict.position) ? .currencyMismatch : verdict,
            reference: reference.map(Milliunits.init))
        }
      }
    }
    return reportVerdicts.withLock { $0 }
  }

  /// Decides on a report by comparing it with the fetched price list.
  ///
  /// If the list has no price for the report, returns the given verdict and reference.
  private func againstList(_ storedVerdict: Plausibility.StoredVerdict, _ market: MarketIndex)
    -> (verdict: Verdict, reference: Int64?)
  {
    let report = table.placed[storedVerdict.position.index]
    guard let place = report.place,
      let price = listed.price(market, in: place, at: report.time)?.rawValue
    else { return (storedVerdict.verdict, storedVerdict.reference) }
    let verdict = Plausibility.verdict(
      price: report.price.rawValue, reference: price, guide: nil, isCorroborated: false)
    // Apple charges the listed price, even if a device in that storefront shows another price. A
    // report without a storefront may come from another storefront with the same currency.
    let isContradiction =
      agrees(storedVerdict.position.index) == false
      && (report.hasOwnPlace || !listed.isAnywhere(report.price, market, at: report.time))
    return (isContradiction && verdict.isBelieved ? .outlier : verdict, price)
  }

  /// Creates the guide, which estimates prices from the prices in other currencies.
  func currencyGuide() -> CurrencyGuide {
    CurrencyGuide(commonest: commonestPrices(), markets: table.markets)
  }

  /// The most frequent price above 0 of each market; `nil` if no price has two voters.
  ///
  /// Of equally frequent prices, the highest is used. Also `nil` for a rebased currency, whose
  /// prices are in two units.
  private func commonestPrices() -> [Int64?] {
    inParallel(markets.count, workers: workers) { number in
      let currency = table.markets.currency(markets[number])
      guard table.catalogue.rebased(currency).isEmpty else { return nil }
      var voters: [Int64: Set<Voter>] = [:]
      for report in members[markets[number]]
      where report.price > 0 && !table.placed.isMismatch(report.position) {
        voters[report.price, default: []].insert(report.voter)
      }
      return voters.filter { $0.value.count >= CurrencyGuide.leastVoters }
        .max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
    }
  }

  private func history(
    apart: StorefrontPriceLists, believed: [Bool],
    discounted: DiscountedIntroductions = DiscountedIntroductions()
  ) -> PriceHistory {
    PriceHistory(
      inParallel(markets.count, workers: workers) { number in
        let market = markets[number]
        return MarketInference(
          market,
          votes: table.votes(
            of: market, members[market], apart: apart, believed: believed, discounted: discounted),
          table: table)
      })
  }

  /// Marks the outvoted and the distrusted reports.
  ///
  /// A report is outvoted if it contradicts the history. A report is distrusted if its voter sent
  /// an unbelieved report within 30 days.
  private func outvote(
    _ reportVerdicts: inout ReportVerdicts, apart: StorefrontPriceLists, history: PriceHistory
  ) {
    let believed = reportVerdicts.believed
    let found = inParallel(markets.count, workers: workers) { number in
      listed(markets[number], apart: apart, believed).flatMap {
        $0.outvoted(in: history, dollars: dollars(beside: markets[number], history))
      }
    }
    for (position, others) in found.lazy.flatMap(\.self)
    where !table.placed[position.index].isProof && agrees(position.index) != true {
      reportVerdicts.outvote(position, by: others)
    }
    let causes = DistrustedReports.find(table.placed, verdicts: reportVerdicts.verdicts)
    for (position, cause) in causes.enumerated() {
      guard let cause, !table.placed[position].isProof, agrees(position) != true else { continue }
      reportVerdicts.distrust(
        ReportPosition(position), for: table.placed[cause.index].evidenceID)
    }
  }

  func listed(
    _ market: MarketIndex, apart: StorefrontPriceLists, _ believed: [Bool]
  ) -> [ListedReports] {
    ListedReports.all(
      of: market, members[market], apart: apart, isBelieved: believed, markets: table.markets,
      catalogue: table.catalogue)
  }
}
