internal import PurchaseModel

/// The fault of a report in its currency, storefront or time.
enum CurrencyFault: Sendable {
  /// The report has another currency than other reports of its stated storefront, so its price is
  /// not believed.
  case mismatch
  /// Other reports of the report's storefront have another currency, and the storefront was
  /// inferred from the household.
  ///
  /// So the report was made in another, unknown storefront.
  case elsewhere
  /// The household's export record nearest to the purchase shows a storefront whose currency
  /// differs from that of the report's storefront.
  case contested
  /// The App Store does not use the report's currency in the storefront that the report states, so
  /// the storefront is wrong: see ``MisplacedReports``.
  case misplaced
  /// The report has an impossible time: see ``SaleTimes/exclude(_:)``.
  case impossibleDate
}

/// All reports to learn from, after the check of their currencies; sorted by evidence id.
///
/// A report with the fault ``CurrencyFault/elsewhere`` gets no storefront. A report with a
/// contested storefront or an impossible time gets no vote, and a misplaced one neither storefront
/// nor vote.
struct ComparedReports: RandomAccessCollection, Sendable {
  private let placed: [PlacedReport]
  private var faults: [CurrencyFault?]
  /// The instalments for which prices pay, decided from the prices; see ``InstalmentPrices``.
  private var instalments = InstalmentPrices()

  /// Finds the faults of reports in their currency, storefront or time.
  init(_ given: [PlacedReport], times: SaleTimes, workers: Int) {
    placed = given
    let misdated = given.indices.filter { !given[$0].isSigned && times.exclude(given[$0]) }
    var dated = given
    for position in misdated { dated[position].place = nil }
    faults = CurrencyMismatches.find(dated, workers: workers)
    let misplaced = MisplacedReports.find(dated) { [faults] in faults[$0] == .mismatch }
    if !misplaced.isEmpty {
      // A report in a wrong storefront is no vote for a currency there.
      for position in misplaced { dated[position].place = nil }
      faults = CurrencyMismatches.find(dated, workers: workers)
      for position in misplaced { faults[position] = .misplaced }
    }
    for position in misdated where given[position].setAside == nil {
      faults[position] = .impossibleDate
    }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { placed.count }

  subscript(position: Int) -> PlacedReport {
    var report = placed[position]
    report.instalment = instalments.paid[position]
    if instalments.unclear.contains(position) {
      // A charge decides its own purchase, whatever else is known.
      report.setAside = report.setAside ?? (report.isCharge ? .charged : .outlier)
    }
    switch faults[position] {
    case .elsewhere: report.place = nil
    case .contested: report.setAside = .contestedPlace
    case .misplaced:
      report.place = nil
      report.setAside = report.setAside ?? .wrongPlace
    case .impossibleDate:
      report.setAside = .impossibleDate
      report.place = nil
    case .mismatch, nil: break
    }
    return report
  }

  /// Removes the votes of reports with two possible storefronts that have different currencies.
  ///
  /// One storefront is stated in the report, the other is in an export record of the household
  /// (``PlacedReport/rivalPlace``).
  ///
  /// Example: a report from Germany in EUR has the transaction id of a purchase, but the receipt
  /// sent in the minute of the purchase is from the United States → the report has no vote.
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

  /// Decides which prices are those of an instalment.
  mutating func separateInstalments(_ catalogue: Catalogue) {
    instalments = InstalmentPrices(placed, catalogue: catalogue)
  }

  /// Returns true if other reports contradict the currency of a report; always false for a signed
  /// price and a charge.
  func isMismatch(_ report: ReportPosition) -> Bool {
    faults[report.index] == .mismatch && !placed[report.index].isProof
  }
}
