internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Finds the reports that state a wrong storefront: the App Store does not use their currency
/// there.
///
/// Some servers write the country of the request's IP address, or the region of the phone. Then the
/// currency shows that the country is wrong: the price is that of the customer's App Store.
///
/// Others in the storefront must contradict the report: Apple may have changed the currency.
///
/// Example: a report of 9.99 USD from the Netherlands, through a VPN → misplaced.
enum MisplacedReports {
  /// The positions of the misplaced reports, ascending.
  ///
  /// - Parameter isMismatch: Returns true if others in the report's storefront report another
  ///   currency.
  static func find(_ placed: [PlacedReport], isMismatch: (Int) -> Bool) -> [Int] {
    placed.indices.filter { isExcluded(placed[$0]) && isMismatch($0) }
  }

  private static func isExcluded(_ report: PlacedReport) -> Bool {
    guard report.hasOwnPlace, !report.isProof, let place = report.place else { return false }
    return StorefrontCurrencies.excludes(report.currency, in: place, around: report.time)
  }
}

extension PriceInference {
  /// Decides on the misplaced reports: their prices must be in force somewhere.
  ///
  /// A misplaced report with another price gets the verdict ``Verdict/currencyMismatch``: its
  /// currency may be as wrong as its storefront.
  func judgeMisplaced(
    _ reportVerdicts: inout ReportVerdicts, apart: StorefrontPriceLists, history: PriceHistory
  ) {
    for (position, verdict) in reportVerdicts.verdicts.enumerated() where verdict == .wrongPlace {
      let report = table.placed[position]
      guard let market = table.markets.index(of: report) else { continue }
      let isInForce =
        listed.isAnywhere(report.price, market, at: report.time)
        || apart.lists(for: nil, in: report.currency).contains { list in
          let series = SeriesKey(market, .regular, in: list)
          return history.interval(of: series, at: report.time)?.price == report.price
        }
      if !isInForce {
        reportVerdicts.setVerdict(ReportPosition(position), .currencyMismatch, reference: nil)
      }
    }
  }
}
