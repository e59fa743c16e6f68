internal import PurchaseModel

/// The fault of a report as to its storefront.
enum CurrencyFault: Sendable {
  /// It names the storefront itself, so that its price is not believed.
  case mismatch
  /// It has the place from its household, so that it was made elsewhere: its place is unknown.
  case elsewhere
  /// The record around the purchase that it names is of a storefront with another currency.
  case contested
  /// It was made at a time that cannot be.
  case impossibleDate
}

/// All reports to learn from, by evidence id, after their currencies have been compared.
///
/// Reports are as they were placed, but for those made elsewhere, whose place is unknown, and those
/// whose place is contested, which are set aside.
struct ComparedReports: RandomAccessCollection, Sendable {
  private let placed: [PlacedReport]
  private var faults: [CurrencyFault?]

  /// Compares the currencies of reports.
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

  /// Sets the reports aside whose rival place has another currency.
  ///
  /// For example a report from Germany in EUR names a purchase, and the household's receipt of that
  /// minute came from the United States.
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

  /// Whether others contradict the currency of a report; never that of a signed price.
  func isMismatch(_ report: ReportPosition) -> Bool {
    faults[report.index] == .mismatch && !placed[report.index].isSigned
  }
}
