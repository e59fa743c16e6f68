internal import CivilTime
internal import Parallel
public import PurchaseModel

/// Merges all sightings into purchases and puts these in order (RULES section 1).
///
/// The result follows from what the sightings say: neither the order of records, rows, renewal
/// states and files nor a second copy of any of them changes it. With `bundleIDs` not empty,
/// purchases of other apps are excluded.
///
/// - Throws: ``KeyCollision`` when two different identities have one key.
public func mergeSightings(
  _ set: SightingSet, bundleIDs: Set<BundleID>, catalogue: Catalogue = Catalogue()
) throws(KeyCollision) -> PurchaseBook {
  var book = try mergeSightings(set, bundleIDs: bundleIDs, keyMask: .max)
  book.settleHouseholds(set, catalogue: catalogue)
  return book
}

/// The same with shorter keys, so that a test can see them collide.
func mergeSightings(_ set: SightingSet, bundleIDs: Set<BundleID>, keyMask: Int64)
  throws(KeyCollision) -> PurchaseBook
{
  let joins = LineItemJoins(set)
  var groups = SightingGroups(set, joins: joins)
  var merged = MergedPurchases(set, groups: groups, bundleIDs: bundleIDs, keyMask: keyMask)
  if try merged.hasSplitPurchase(groups: groups, symbols: set.symbols) {
    groups.joinGroupsOfOneIdentity()
    merged = MergedPurchases(set, groups: groups, bundleIDs: bundleIDs, keyMask: keyMask)
  }

  let share = MergedShare(set, groups: groups, merged: consume merged, hasLoneRecords: true)
  return PurchaseBook(whole: share)
}

/// What a purchase's records say of its chain.
struct PurchaseParties {
  var originalPurchasedAt: Instant?
  var bundleAge: Int64
  var hasBundleConflict: Bool
}

/// The purchases while they are still numbered as their groups are.
struct MergedPurchases {
  var purchases: [Purchase] = []
  var parties: [PurchaseParties] = []
  var claims: [AliasClaim] = []

  /// Merges every group into its purchase.
  init(_ set: SightingSet, groups: SightingGroups, bundleIDs: Set<BundleID>, keyMask: Int64) {
    purchases.reserveCapacity(groups.count)
    parties.reserveCapacity(groups.count)
    claims.reserveCapacity(groups.count)
    var hasher = StableKeyHasher()
    let ownerships = OwnershipOrder(set.symbols)
    let sightings = set.sightings.span
    let records = set.records.span
    for group in 0..<groups.count {
      let members = groups.members(group)
      let identity = groups.identities[group]
      var merge = PurchaseMerge()
      for member in members {
        let row = Int(groups.order[member])
        let record = Int(sightings[row].record)
        merge.see(
          sightings[row], of: records[record], form: identity.form, ownerships: ownerships)
        addClaim(
          AliasClaim(
            transactionID: sightings[row].transactionID, group: UInt32(group),
            strength: AliasClaim.strength(of: sightings[row], in: records[record])),
          isFirst: member == members.lowerBound)
      }
      let key = identity.key(in: set.symbols, using: &hasher)
      let purchase = merge.purchase(
        as: identity, key: PurchaseKey(rawValue: key.rawValue & keyMask), bundleIDs: bundleIDs)
      guard let purchase else { preconditionFailure("a group has at least one sighting") }
      purchases.append(purchase)
      parties.append(
        PurchaseParties(
          originalPurchasedAt: merge.originalPurchasedAt, bundleAge: merge.bundle.age,
          hasBundleConflict: merge.hasBundleConflict))
    }
  }

  /// Adds a claim, or strengthens the purchase's newest one where that is to the same id.
  private mutating func addClaim(_ claim: AliasClaim, isFirst: Bool) {
    if !isFirst, let last = claims.last, last.transactionID == claim.transactionID {
      claims[claims.count - 1].strength = max(last.strength, claim.strength)
    } else {
      claims.append(claim)
    }
  }

  /// Whether two groups are one purchase.
  ///
  /// - Throws: ``KeyCollision`` when two purchases have one key.
  func hasSplitPurchase(groups: SightingGroups, symbols: SymbolTable) throws(KeyCollision) -> Bool {
    var keyed = purchases.indices.map {
      KeyedIndex(key: UInt64(bitPattern: purchases[$0].key.rawValue), index: UInt32($0))
    }
    guard keyed.sortAndFindTwins() else { return false }
    var isSplit = false
    for index in keyed.indices.dropFirst() where keyed[index].key == keyed[index - 1].key {
      let first = groups.identities[Int(keyed[index - 1].index)]
      let second = groups.identities[Int(keyed[index].index)]
      if first != second {
        let texts = [first.text(in: symbols), second.text(in: symbols)].sorted()
        throw KeyCollision(
          key: purchases[Int(keyed[index].index)].key, first: texts[0], second: texts[1])
      }
      isSplit = true
    }
    return isSplit
  }
}
