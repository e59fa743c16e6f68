internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension HouseholdReport {
  /// Whether the App Store does not use the report's currency in the report's storefront.
  ///
  /// False for a charge, which has a rule of its own.
  var hasExcludedPlace: Bool {
    guard !report.isCharge, let storefront = report.storefront else { return false }
    return StorefrontCurrencies.excludes(report.currency, in: storefront, around: time)
  }
}

extension HouseholdMoments {
  /// Returns true if another moment of a report's household names the report's storefront, and no
  /// moment another one.
  func witness(_ own: HouseholdReport) -> Bool {
    guard let household = own.household, !areVaried(household) else { return false }
    return naming(household).contains {
      $0.storefront == own.report.storefront && !$0.contains(own.report.reportedAt)
    }
  }
}

extension HouseholdBatch {
  /// Leaves out the storefronts that the currencies of reports contradict.
  ///
  /// These are the storefronts of reports with the verdict ``Verdict/wrongPlace``, and of their
  /// households' records if the household reports no price in the record's currency. Example: a
  /// household reports euros from Germany and, through a VPN, from the United States. Its record of
  /// the next day names the United States → the record shows no storefront.
  func withoutWrongPlaces(_ reportVerdicts: [ReportVerdict]) -> HouseholdBatch {
    guard reportVerdicts.contains(where: { $0.verdict == .wrongPlace }) else { return self }
    var right = self
    var currencies: [HouseholdNumber: Set<Currency>] = [:]
    for (position, own) in reports.enumerated() {
      let verdict = reportVerdicts[position].verdict
      guard
        verdict == .wrongPlace || verdict == .currencyMismatch && own.hasExcludedPlace
      else { continue }
      right.reports[position].report.storefront = nil
      if let household = own.household, verdict == .wrongPlace { currencies[household] = [] }
    }
    for (position, own) in reports.enumerated() {
      let verdict = reportVerdicts[position].verdict
      guard let household = own.household, verdict.isBelieved || verdict == .wrongPlace else {
        continue
      }
      currencies[household]?.insert(own.report.currency)
    }
    right.book.storefrontObservations.removeAll { place in
      guard let currencies = place.household.flatMap({ currencies[$0] }),
        let usual = StorefrontCurrencies.usual(in: place.storefront, at: place.observedAt)
      else { return false }
      return !currencies.contains(usual)
    }
    return right
  }
}
