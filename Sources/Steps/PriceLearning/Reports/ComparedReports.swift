internal import PurchaseModel

/// The fault of a report in its currency, storefront or time.
enum CurrencyFault: Sendable {
  /// The report states the storefront itself: its price is not believed.
  case mismatch
  /// The storefront comes from the household, so the report was made elsewhere: its place is
  /// unknown.
  case elsewhere
  /// The record around the report's purchase is of a storefront with another currency.
  case contested
  /// The report has an impossible time.
  case impossibleDate
}

/// All reports to learn from, sorted by evidence id, after the check of their currencies.
///
/// Reports made elsewhere have no place, and reports with a contested storefront are set aside.
struct ComparedReports: RandomAccessCollection, Sendable {
  private let placed: [PlacedReport]
  private var faults: [CurrencyFault?]

  /// Checks the currencies of reports.
  init(_ given: [PlacedReport], times: SaleTimes, workers: Int) {
    placed = given
    let misdated = given.indices.filter { !given[$0].isSigned && times.exclude(given[$0]) }
    var dated = given
    for position in misdated { dated[position].place = nil }
    faults = CurrencyMismatches.find(dated, workers: workers)
    for position in misdated where given[position].setAside == nil {
      faults[position] = .impossibleDate
    }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { placed.count }

  /// The report at a position.
  subscript(position: Int) -> PlacedReport {
    var report = placed[position]
    switch faults[position] {
    case .elsewhere: report.place = nil
    case .contested: report.setAside = .contestedPlace
    case .impossibleDate:
      report.setAside = .impossibleDate
      report.place = nil
    case .mismatch, nil: break
    }
    return report
  }

  /// Sets aside the reports whose rival storefront has another currency.
  ///
  /// Example: a report from Germany in EUR has a purchase's transaction id, and the household's
  /// receipt of that minute is from the United States.
  mutating func contest(by currencies: StorefrontCurrencies) {
    for (position, report) in placed.enumerated() {
      guard faults[position] == nil, report.setAside == nil, let place = report.place,
        let rival = report.rivalPlace,
        currencies.currency(of: place, at: report.time)
          != currencies.currency(of: rival, at: report.time)
      else { continue }
      faults[position] = .contested
    }
  }

  /// Whether other reports contradict the currency of a report; always false for a signed price.
  func isMismatch(_ report: ReportPosition) -> Bool {
    faults[report.index] == .mismatch && !placed[report.index].isSigned
  }
}
