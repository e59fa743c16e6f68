internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Finds the reports that state a wrong storefront: the App Store does not use their currency
/// there.
///
/// Some servers write the country of the request's IP address, or the region of the phone. Then the
/// currency shows that the country is wrong: the price is that of the customer's App Store.
///
/// Apple may have changed the currency. So others in the storefront must contradict the report, or
/// its voter must state a storefront in which the currency is used. In the second case the currency
/// is right if three voters report it there who state no other storefront.
///
/// Example: a report of 9.99 USD from the Netherlands, through a VPN → misplaced.
enum MisplacedReports {
  /// The minimum number of voters who show that the App Store uses another currency in a storefront
  /// than its own list has.
  static let leastVoters = 3

  /// A currency in a storefront.
  private struct Claim: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// The storefronts in a voter's reports, and their currencies in the App Store's own list.
  private struct Stated {
    var storefronts: Set<Storefront> = []
    var currencies: Set<Currency> = []
  }

  /// The positions of the misplaced reports, ascending.
  ///
  /// - Parameter isMismatch: Returns true if others in the report's storefront report another
  ///   currency.
  static func find(_ placed: [PlacedReport], isMismatch: (Int) -> Bool) -> [Int] {
    let excluded = placed.indices.filter { isExcluded(placed[$0]) }
    guard !excluded.isEmpty else { return [] }
    let stated = stated(by: Set(excluded.map { placed[$0].voter }), placed)
    var witnesses: [Claim: Set<Voter>] = [:]
    for position in excluded where stated[placed[position].voter]?.storefronts.count == 1 {
      if let claim = claim(of: placed[position]) {
        witnesses[claim, default: []].insert(placed[position].voter)
      }
    }
    return excluded.filter { position in
      let report = placed[position]
      if isMismatch(position) { return true }
      let isUsedElsewhere = stated[report.voter]?.currencies.contains(report.currency) ?? false
      return isUsedElsewhere
        && claim(of: report).flatMap { witnesses[$0]?.count } ?? 0 < leastVoters
    }
  }

  private static func stated(by voters: Set<Voter>, _ placed: [PlacedReport]) -> [Voter: Stated] {
    var stated: [Voter: Stated] = [:]
    for report in placed where report.hasOwnPlace && voters.contains(report.voter) {
      guard let place = report.place else { continue }
      stated[report.voter, default: Stated()].storefronts.insert(place)
      if let usual = AppStoreCurrencies.currency(of: place, at: report.time.milliseconds) {
        stated[report.voter]?.currencies.insert(usual)
      }
    }
    return stated
  }

  private static func claim(of report: PlacedReport) -> Claim? {
    report.place.map { Claim(storefront: $0, currency: report.currency) }
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
