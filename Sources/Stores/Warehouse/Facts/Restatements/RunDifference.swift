internal import SharedTables
internal import PaidAmounts

/// The differences between a run and the previously published run.
struct RunDifference: Hashable {
  /// Whether the set of files in use has changed.
  var hasOtherInputs = false
  /// Whether the version of the program or its rules has changed.
  var hasOtherRules = false
  var hasOtherCatalogue = false
  var hasOtherRates = false
  /// Whether the settings have changed.
  ///
  /// False if the catalogue or the exchange rates have changed too.
  var hasOtherSettings = false

  /// The cause of changes that new inputs do not explain; `nil` if only the inputs differ.
  var causeBesidesInputs: RestatementCause? {
    if hasOtherRules { return .ruleChange }
    if hasOtherCatalogue { return .catalogue }
    if hasOtherSettings { return .settings }
    return hasOtherRates ? .rates : nil
  }
}

/// The values of a row of `fct_revenue` on which the figures of its purchase day depend.
struct RestatedRow: Hashable {
  /// The purchase day in the form of `fct_revenue`: `2021-05-08`.
  var day: String
  /// The currency's code; empty if unknown.
  var currency: String
  /// The amount paid, in thousandths of the currency; `nil` if unknown.
  var paid: Int64?
  var isRefunded: Bool
  /// The refunded amount, in thousandths of the currency; 0 without a refund.
  ///
  /// If Apple does not state which part was refunded, the whole amount is assumed.
  var refunded: Int64
  /// Whether the row's observations contradict each other.
  var isConflict: Bool
  var quantity: Int64
}

/// The rule that decided the new amount of a row, and whether its evidence is new.
struct RestatedEvidence: Hashable {
  var rule: PriceRule
  /// Whether the price report that decided the amount is new in this run.
  var isReportNew: Bool
  /// Whether the file with the row's observation was not in use in the previous run.
  var isObservationNew: Bool
}

extension RestatementCause {
  /// Determines the cause of a change in the amount, day or currency of a row.
  ///
  /// The first matching condition decides:
  ///
  /// - The row's observations contradict each other → `conflict`.
  /// - The files in use are unchanged → the first change among rules, catalogue, settings and
  ///   rates; `maturity` if none of them changed.
  /// - The row has new evidence → the kind of evidence, such as `late_receipt` or `late_price`.
  /// - Else → the first change among rules, catalogue, settings and rates. If none of them
  ///   changed: `price_history`, or `late_receipt` for an added or removed row.
  ///
  /// Example: a late price report decides the new amount → `late_price`, even if the settings have
  /// changed too.
  ///
  /// - Parameters:
  ///   - old: The row before; `nil` for a new row.
  ///   - new: The row now; `nil` for a removed row.
  ///   - evidence: The evidence for the new amount; `nil` for a removed row.
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
    case .reportedCharge, .reportedWithPurchase, .customerReport:
      if evidence.isReportNew { return .latePrice }
      if evidence.isObservationNew { return .lateReceipt }
    case .catalogueOffer, .cataloguePrice:
      if difference.hasOtherCatalogue { return .catalogue }
    case .freeTrial, .freeOffer, .signedPrice: return .lateReceipt
    case .appleReport: return .latePrice
    case .conflict: return .conflict
    case .ownerCorrection: return .settings
    case .sameOffer, .previousRenewal, .priceHistory, .servicePrice, .unresolved: break
    }
    return difference.causeBesidesInputs ?? .priceHistory
  }
}
