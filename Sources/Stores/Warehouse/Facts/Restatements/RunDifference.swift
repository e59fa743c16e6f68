internal import SharedTables
internal import PaidAmounts

/// What differs between a run and the one that published before it.
struct RunDifference: Hashable {
  /// Files joined or left those that count.
  var hasOtherInputs = false
  /// The program or its rules have another version.
  var hasOtherRules = false
  /// The catalogue says something else.
  var hasOtherCatalogue = false
  /// The rates are others.
  var hasOtherRates = false
  /// Anything else of the settings is different.
  var hasOtherSettings = false

  /// The cause of what cannot come from the inputs; `nil` where nothing else differs.
  var causeBesidesInputs: RestatementCause? {
    if hasOtherRules { return .ruleChange }
    if hasOtherCatalogue { return .catalogue }
    if hasOtherSettings { return .settings }
    return hasOtherRates ? .rates : nil
  }
}

/// What a row says about the figures of its day.
struct RestatedRow: Hashable {
  /// The purchase day as `fct_revenue` writes it: `2021-05-08`.
  var day: String
  /// The currency's code; empty where it is not known.
  var currency: String
  /// What was paid, in thousandths of the currency; `nil` is not known.
  var paid: Int64?
  /// Whether it was refunded.
  var isRefunded: Bool
  /// How much of it came back: all, unless Apple says the share; 0 where nothing did.
  var refunded: Int64
  /// Whether its sightings contradict each other.
  var isConflict: Bool
  /// How many were bought.
  var quantity: Int64
}

/// How the new amount of a row came about.
struct RestatedEvidence: Hashable {
  /// The rule that decided.
  var rule: PriceRule
  /// Whether the report behind it was not there before.
  var isReportNew: Bool
  /// Whether the winning sighting lies in a file that did not count before.
  var isSightingNew: Bool
}

extension RestatementCause {
  /// Why the amount, the day or the currency of a row is another than before.
  ///
  /// Where several things changed in one run, the row's own evidence decides; what it does not
  /// explain is put down to what changed beside the inputs, else to the price history.
  ///
  /// - Parameters:
  ///   - old: what the row said; `nil` for one that is new.
  ///   - new: what it says; `nil` for one that is gone.
  ///   - evidence: how the new amount came about; `nil` for a row that is gone.
  ///   - difference: what differs between the runs.
  /// - Returns: the cause.
  static func ofChange(
    from old: RestatedRow?, to new: RestatedRow?, evidence: RestatedEvidence?,
    difference: RunDifference
  ) -> RestatementCause {
    if old?.isConflict == true || new?.isConflict == true { return .conflict }
    guard difference.hasOtherInputs else { return difference.causeBesidesInputs ?? .maturity }
    guard let old, let new, let evidence else {
      if evidence?.isSightingNew == true { return .lateReceipt }
      return difference.causeBesidesInputs ?? .lateReceipt
    }
    if old.day != new.day || old.quantity != new.quantity { return .lateReceipt }
    switch evidence.rule {
    case .reportedWithPurchase, .customerReport:
      if evidence.isReportNew { return .latePrice }
      if evidence.isSightingNew { return .lateReceipt }
    case .catalogueOffer, .cataloguePrice:
      if difference.hasOtherCatalogue { return .catalogue }
    case .freeTrial, .freeOffer, .signedPrice: return .lateReceipt
    case .appleReport: return .latePrice
    case .conflict: return .conflict
    case .sameOffer, .previousRenewal, .priceHistory, .unresolved: break
    }
    return difference.causeBesidesInputs ?? .priceHistory
  }
}
