internal import CivilTime
public import PurchaseModel

/// Merges all sightings into purchases and puts these in order (RULES section 1).
///
/// The result follows from what the sightings say: neither the order of records, rows, renewal
/// states and files nor a second copy of any of them changes it. With `bundleIDs` not empty,
/// purchases of other apps are excluded.
///
/// - Throws: ``KeyCollision`` when two different identities have one key.
public func mergeSightings(_ set: SightingSet, bundleIDs: Set<BundleID>) throws(KeyCollision)
  -> PurchaseBook
{
  try mergeSightings(set, bundleIDs: bundleIDs, keyMask: .max)
}

/// The same with shorter keys, so that a test can see them collide.
func mergeSightings(_ set: SightingSet, bundleIDs: Set<BundleID>, keyMask: Int64)
  throws(KeyCollision) -> PurchaseBook
{
  let joins = LineItemJoins(set)
  let groups = SightingGroups(set, joins: joins)
  var merged = MergedPurchases(set, groups: groups)
  merged.merge(bundleIDs: bundleIDs, keyMask: keyMask)
  try merged.checkKeys()
  let (aliases, contested) = resolveAliases(merged.claims, keys: merged.purchases.map(\.key))
  merged.claims = []

  let order = PurchaseOrder(merged.purchases)
  var book = PurchaseBook()
  book.contestedAliases = contested
  book.aliases = aliases
  for index in book.aliases.indices {
    let group = Int(book.aliases[index].purchase)
    book.aliases[index].purchase = Int32(order.positions[group])
  }
  book.storefrontSightings = storefrontSightings(set, groups: groups, purchases: merged.purchases)
  book.purchases = order.arranged(&merged.purchases)
  book.revenueCount = order.revenueCount
  book.chains = chains(of: book, order: order, parties: merged.parties)
  addRenewalStates(of: set, to: &book)
  return book
}

/// Who a purchase's records name.
struct PurchaseParties {
  var customer: CustomerID?
  var customerAge: Int64
  var bundleAge: Int64
  var hasBundleConflict: Bool
}

/// The purchases while they are still numbered as their groups are.
struct MergedPurchases {
  private let set: SightingSet
  private let groups: SightingGroups
  var purchases: [Purchase] = []
  var parties: [PurchaseParties] = []
  var claims: [AliasClaim] = []

  init(_ set: SightingSet, groups: SightingGroups) {
    self.set = set
    self.groups = groups
  }

  /// Merges every group into its purchase.
  mutating func merge(bundleIDs: Set<BundleID>, keyMask: Int64) {
    purchases.reserveCapacity(groups.count)
    parties.reserveCapacity(groups.count)
    claims.reserveCapacity(groups.count)
    var hasher = StableKeyHasher()
    for group in 0..<groups.count {
      let members = groups.members(group)
      let identity = groups.identities[group]
      var merge = PurchaseMerge()
      for member in members {
        let sighting = set.sightings[Int(groups.order[member])]
        let record = set.records[Int(sighting.record)]
        merge.see(sighting, of: record, form: identity.form, in: set.symbols)
        addClaim(of: sighting, in: record, group: group, isFirst: member == members.lowerBound)
      }
      let key = identity.key(in: set.symbols, using: &hasher)
      let purchase = merge.purchase(
        as: identity, key: PurchaseKey(rawValue: key.rawValue & keyMask), bundleIDs: bundleIDs)
      guard let purchase else { preconditionFailure("a group has at least one sighting") }
      purchases.append(purchase)
      parties.append(
        PurchaseParties(
          customer: merge.customer.value, customerAge: merge.customer.age,
          bundleAge: merge.bundle.age, hasBundleConflict: merge.hasBundleConflict))
    }
  }

  /// Looks for two purchases with one key.
  func checkKeys() throws(KeyCollision) {
    var keyed = purchases.indices.map {
      KeyedIndex(key: UInt64(bitPattern: purchases[$0].key.rawValue), index: UInt32($0))
    }
    keyed.sort()
    for index in keyed.indices.dropFirst() where keyed[index].key == keyed[index - 1].key {
      let texts = [keyed[index - 1], keyed[index]].map {
        groups.identities[Int($0.index)].text(in: set.symbols)
      }.sorted()
      throw KeyCollision(
        key: purchases[Int(keyed[index].index)].key, first: texts[0], second: texts[1])
    }
  }

  /// Adds a claim to the row's transaction id, or strengthens the purchase's newest equal one.
  private mutating func addClaim(
    of sighting: PurchaseSighting, in record: ReceiptRecord, group: Int, isFirst: Bool
  ) {
    let strength = AliasClaim.strength(of: sighting.rank, in: record)
    if !isFirst, let last = claims.last, last.transactionID == sighting.transactionID {
      claims[claims.count - 1].strength = max(last.strength, strength)
      return
    }
    claims.append(
      AliasClaim(
        transactionID: sighting.transactionID, group: UInt32(group), strength: strength))
  }
}
