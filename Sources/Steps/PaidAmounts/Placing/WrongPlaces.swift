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

extension HouseholdBatch {
  /// The households with a report of the verdict ``Verdict/wrongPlace``.
  func misplacedHouseholds(_ reportVerdicts: [ReportVerdict]) -> Set<HouseholdNumber> {
    Set(
      reports.indices.lazy.filter { reportVerdicts[$0].verdict == .wrongPlace }
        .compactMap { reports[$0].household })
  }

  /// Leaves out the storefronts that the currencies of reports contradict.
  ///
  /// These are the storefronts of reports with the verdict ``Verdict/wrongPlace``, of the same
  /// households' other reports in a currency that the storefront does not have, and of their
  /// records if the household reports no price in the record's currency. Example: a
  /// household reports euros from Germany and, through a VPN, from the United States. Its record of
  /// the next day names the United States → the record shows no storefront.
  func withoutWrongPlaces(_ reportVerdicts: [ReportVerdict]) -> HouseholdBatch {
    guard reportVerdicts.contains(where: { $0.verdict == .wrongPlace }) else { return self }
    var right = self
    var currencies: [HouseholdNumber: Set<Currency>] = [:]
    for (position, own) in reports.enumerated()
    where reportVerdicts[position].verdict == .wrongPlace {
      right.reports[position].report.storefront = nil
      if let household = own.household { currencies[household] = [] }
    }
    for (position, own) in reports.enumerated() {
      guard let household = own.household, currencies[household] != nil else { continue }
      let verdict = reportVerdicts[position].verdict
      if verdict.isBelieved || verdict == .wrongPlace {
        currencies[household]?.insert(own.report.currency)
      } else if verdict == .currencyMismatch, own.hasExcludedPlace {
        right.reports[position].report.storefront = nil
      }
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
