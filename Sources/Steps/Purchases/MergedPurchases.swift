internal import CivilTime
internal import PurchaseModel

/// Values from a purchase's records that ``Purchase`` lacks.
///
/// They are the original purchase time, the newest snapshot, the recency of the app's id, and
/// whether any record names the environment.
struct PurchaseParties {
  var originalPurchasedAt: Instant?
  var lastSeenAt: Instant
  var bundleAge: Int64
  /// Whether a record of the purchase names the environment.
  var namesEnvironment: Bool
}

/// The merged purchases, in the order of the groups of ``ObservationGroups``.
struct MergedPurchases {
  var purchases: [Purchase] = []
  var parties: [PurchaseParties] = []
  var claims: [AliasClaim] = []

  /// Merges the observations of each group into one purchase.
  init(_ set: Observations, groups: ObservationGroups, bundleIDs: Set<BundleID>) {
    purchases.reserveCapacity(groups.count)
    parties.reserveCapacity(groups.count)
    claims.reserveCapacity(groups.count)
    var hasher = StableKeyHasher()
    let ownerships = OwnershipOrder(set.symbols)
    let observations = set.observations.span
    let records = set.records.span
    for group in 0..<groups.count {
      let members = groups.members(group)
      let identity = groups.identities[group]
      var merge = PurchaseMerge()
      for member in members {
        let row = Int(groups.order[member])
        let record = Int(observations[row].record)
        merge.include(
          observations[row], of: records[record], form: identity.form, ownerships: ownerships)
        addClaim(
          AliasClaim(
            transactionID: observations[row].transactionID, group: UInt32(group),
            strength: AliasClaim.strength(of: observations[row], in: records[record])),
          isFirst: member == members.lowerBound)
      }
      let purchase = merge.purchase(
        as: identity, key: identity.key(in: set.symbols, using: &hasher), bundleIDs: bundleIDs)
      guard let purchase else { preconditionFailure("a group has at least one observation") }
      purchases.append(purchase)
      parties.append(
        PurchaseParties(
          originalPurchasedAt: merge.originalPurchasedAt, lastSeenAt: merge.lastSeenAt,
          bundleAge: merge.bundle.recency, namesEnvironment: merge.namesEnvironment))
    }
  }

  /// Adds a claim of the current purchase to a transaction id.
  ///
  /// If the previous claim is of the same purchase and to the same id, only the stronger claim is
  /// kept. `isFirst` is true for the first claim of a purchase.
  private mutating func addClaim(_ claim: AliasClaim, isFirst: Bool) {
    if !isFirst, let last = claims.last, last.transactionID == claim.transactionID {
      claims[claims.count - 1].strength = max(last.strength, claim.strength)
    } else {
      claims.append(claim)
    }
  }
}
