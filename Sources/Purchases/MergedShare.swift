public import PurchaseModel

/// Everything that some chains' sightings say, merged and in the order of a book.
///
/// A share holds whole chains: every sighting, of every record, that names one of them. What else
/// connects purchases, ids and storefronts above all, is settled when shares are joined.
public struct MergedShare: Sendable {
  /// The share as a book of its own, whose ``PurchaseBook/aliases`` are empty still.
  var book = PurchaseBook()
  /// Every transaction id of the share, by id, with the purchase whose claim is strongest.
  var claims: [SettledClaim] = []
  /// The keys of its purchases; empty where it is known that no other share has them.
  var keys: [UInt64] = []

  /// Merges a share of the sightings.
  ///
  /// Records without rows are not looked at, because their rows may be in another share; see
  /// ``PurchaseBook/init(joining:loneStorefronts:symbols:workers:)``.
  ///
  /// - Parameters:
  ///   - set: The sightings; a record may occur once for each of its chains.
  ///   - bundleIDs: The apps that count; empty for all.
  public init(_ set: SightingSet, bundleIDs: Set<BundleID>) {
    let groups = SightingGroups(set, joins: LineItemJoins(set))
    let merged = MergedPurchases(set, groups: groups, bundleIDs: bundleIDs, keyMask: .max)
    self.init(set, groups: groups, merged: consume merged, hasLoneRecords: false)
    keys = book.keys.map { UInt64(bitPattern: $0.rawValue) }
  }

  /// Puts merged purchases in order.
  init(
    _ set: SightingSet, groups: SightingGroups, merged given: consuming MergedPurchases,
    hasLoneRecords: Bool
  ) {
    var merged = given
    let order = PurchaseOrder(merged.purchases)
    let keys = merged.purchases.indices.map { merged.purchases[$0].key }
    claims = settledClaims(merged.claims, keys: keys)
    merged.claims = []
    for index in claims.indices {
      claims[index].purchase = order.positions[Int(claims[index].purchase)]
    }
    book.storefrontSightings = storefrontSightings(
      set, groups: groups, purchases: merged.purchases, hasLoneRecords: hasLoneRecords)
    order.arrange(&merged.purchases)
    book.purchases = merged.purchases
    book.revenueCount = order.revenueCount
    book.chains = chains(
      of: book, order: order, parties: merged.parties)
    addRenewalStates(of: set, to: &book)
    book.encounters = Encounters(set)
  }
}
