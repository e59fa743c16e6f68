internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// The last pass of learning: finds the confirmed reports.
extension PriceInference {
  /// Marks the reports whose price other voters or the fetched price list confirm.
  ///
  /// A price that other voters confirm must also be steady:
  /// see ``ListedReports/steady(in:isAsked:)``.
  func confirm(
    _ reportVerdicts: inout ReportVerdicts, apart: StorefrontPriceLists, history: PriceHistory,
    _ guide: CurrencyGuide
  ) {
    let (verdicts, believed) = (reportVerdicts.verdicts, reportVerdicts.believed)
    let heard = verdicts.map { $0 == .believed || $0 == .outvoted || $0 == .distrusted }
    let found = inParallel(markets.count, workers: workers) { number in
      let guide = guide.price(of: markets[number])
      let confirmed = listed(markets[number], apart: apart, believed).flatMap {
        $0.confirmed(
          in: history, guide: guide, dollars: dollars(beside: markets[number], history))
      }
      guard !confirmed.isEmpty else { return confirmed }
      let steady = Set(
        listed(markets[number], apart: apart, heard).flatMap {
          $0.steady(in: history) { table.placed[$0.index].isAsked }
        })
      return confirmed.filter(steady.contains)
    }
    for position in found.joined() {
      let report = table.placed[position.index]
      guard verdicts[position.index] == .believed, agrees(position.index) == nil else { continue }
      let isConfirmed =
        report.place.map {
          currencies.isCertain(report.currency, of: $0, at: report.time, by: report.voter)
        } ?? !isInForceInOtherCurrency(report, history)
      if isConfirmed { reportVerdicts.confirm(position) }
    }
    guard !listed.isEmpty else { return }
    for position in verdicts.indices
    where verdicts[position] == .believed && agrees(position) == true {
      reportVerdicts.confirm(ReportPosition(position))
    }
  }

  /// Returns a function that finds the product's price in US dollars at a report's time, in
  /// thousandths.
  ///
  /// The function returns `nil` if no such price is in force, and always for the market in US
  /// dollars.
  func dollars(beside market: MarketIndex, _ history: PriceHistory)
    -> (MarketReport) -> Int64?
  {
    guard let dollars = marketInDollars(beside: market) else { return { _ in nil } }
    let series = SeriesKey(dollars, .regular, in: nil)
    return { report in
      history.interval(of: series, at: Instant(milliseconds: report.time))?.price.rawValue
    }
  }

  /// Returns true if the price of a report without a storefront is also the product's price in
  /// force in another currency.
  ///
  /// Then the app may send the wrong currency.
  private func isInForceInOtherCurrency(_ report: PlacedReport, _ history: PriceHistory) -> Bool {
    markets.contains { market in
      table.markets.product(market) == report.productID
        && table.markets.instalment(market) == report.instalment
        && table.markets.currency(market) != report.currency
        && history.interval(of: SeriesKey(market, .regular, in: nil), at: report.time)?.price
          == report.price
    }
  }
}
