internal import SharedTables
internal import PaidAmounts

/// The differences between a run and the one that published before it.
struct RunDifference: Hashable {
  /// Files joined or left those that count.
  var hasOtherInputs = false
  /// The program or its rules have another version.
  var hasOtherRules = false
  /// The catalogue has changed.
  var hasOtherCatalogue = false
  /// The rates are others.
  var hasOtherRates = false
  /// Anything else of the settings is different.
  var hasOtherSettings = false

  /// The cause of changes that the inputs cannot explain; `nil` if nothing but the inputs differs.
  var causeBesidesInputs: RestatementCause? {
    if hasOtherRules { return .ruleChange }
    if hasOtherCatalogue { return .catalogue }
    if hasOtherSettings { return .settings }
    return hasOtherRates ? .rates : nil
  }
}

/// The contribution of a row to the figures of its day.
struct RestatedRow: Hashable {
  /// The purchase day as `fct_revenue` writes it: `2021-05-08`.
  var day: String
  /// The currency's code; empty if unknown.
  var currency: String
  /// The amount paid, in thousandths of the currency; `nil` if unknown.
  var paid: Int64?
  /// Whether it was refunded.
  var isRefunded: Bool
  /// The refunded part in thousandths: all, unless Apple gives the share; 0 without a refund.
  var refunded: Int64
  /// Whether its observations contradict each other.
  var isConflict: Bool
  /// The quantity bought.
  var quantity: Int64
}

/// The evidence for the new amount of a row.
struct RestatedEvidence: Hashable {
  /// The rule that decided.
  var rule: PriceRule
  /// Whether the report behind it was not there before.
  var isReportNew: Bool
  /// Whether the winning observation lies in a file that did not count before.
  var isObservationNew: Bool
}

extension RestatementCause {
  /// The reason why the amount, the day or the currency of a row differs from before.
  ///
  /// If several things changed in one run, the row's own evidence decides. Other changes are
  /// attributed to the changed settings, rules or catalogue, else to the price history.
  ///
  /// - Parameters:
  ///   - old: the row before; `nil` for a new row.
  ///   - new: the row now; `nil` for a removed row.
  ///   - evidence: the evidence for the new amount; `nil` for a removed row.
  ///   - difference: the differences between the runs.
  /// - Returns: the cause.
  static func ofChange(
    from old: RestatedRow?, to new: RestatedRow?, evidence: RestatedEvidence?,
    difference: RunDifference
  ) -> RestatementCause {
    if old?.isConflict == true || new?.isConflict == true { return .conflict }
    guard difference.hasOtherInputs else { return difference.causeBesidesInputs ?? .maturity }
    guard let old, let new, let evidence else {
      if evidence?.isObservationNew == true { return .lateReceipt }
      return difference.causeBesidesInputs ?? .lateReceipt
    }
    if old.day != new.day || old.quantity != new.quantity { return .lateReceipt }
    switch evidence.rule {
    case .reportedWithPurchase, .customerReport:
      if evidence.isReportNew { return .latePrice }
      if evidence.isObservationNew { return .lateReceipt }
    case .catalogueOffer, .cataloguePrice:
      if difference.hasOtherCatalogue { return .catalogue }
    case .freeTrial, .freeOffer, .signedPrice: return .lateReceipt
    case .appleReport: return .latePrice
    case .conflict: return .conflict
    case .ownerCorrection: return .settings
    case .sameOffer, .previousRenewal, .priceHistory, .unresolved: break
    }
    return difference.causeBesidesInputs ?? .priceHistory
  }
}
