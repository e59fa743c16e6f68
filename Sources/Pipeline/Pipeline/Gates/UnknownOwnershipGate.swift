internal import Diagnostics
internal import Purchases
internal import Warehouse

/// The gate `unknown_ownership`: purchases have an `in_app_ownership_type` that nobody knows.
///
/// Such purchases are not revenue, because someone else may have paid. Example: Apple introduces
/// the word `LEASED`, and 12 rows have it.
enum UnknownOwnershipGate {
  /// Returns a finding with the number of these purchases; `nil` if there are none.
  static func finding(_ facts: ExaminedFacts) -> GateFinding? {
    let count = facts.sums[ExclusionReason.unknownOwnership.rawValue]
    guard count > 0 else { return nil }
    let purchases = Count.text(count, "purchase")
    var finding = GateFinding(
      .unknownOwnership,
      [
        GateFinding.Item(
          subject: "in_app_ownership_type", found: "\(purchases) of an unknown type",
          expected: "PURCHASED, FAMILY_SHARED or ASSIGNED")
      ],
      message: """
        \(purchases) with an ownership type that this version does not know: they are in \
        excluded_purchase, not in revenue, because someone else may have paid. Install a newer \
        version that knows the type.
        """, fault: "unknown_ownership")
    finding.duration = .standing
    finding.page = .gates
    return finding
  }
}
