internal import CivilTime
internal import PurchaseModel

/// The newest of the values seen for one field; of equally new ones the largest.
struct Newest<Value: Comparable> {
  private(set) var value: Value?
  private(set) var age = Int64.min

  /// Takes a value into account; a larger age is newer, absence is no statement.
  mutating func see(_ candidate: Value?, age candidateAge: Int64) {
    guard let candidate else { return }
    if let value, (age, value) >= (candidateAge, candidate) { return }
    value = candidate
    age = candidateAge
  }
}

/// Merges the sightings of one purchase field by field (RULES section 1).
///
/// Three orders decide: by snapshot, then list (`byTime`) for what every list carries; by list,
/// then snapshot (`byRank`) for what only the latest list carries; the newest snapshot alone for a
/// cancellation. Ties go to the larger value, so no order of the sightings matters.
struct PurchaseMerge {
  private var isSandbox = false
  private var winnerAge = Int64.min
  private var source = SourceLine(file: .max, line: .max)
  private var transactionID = Newest<TransactionID>()
  private var originalTransactionID = Newest<OriginalTransactionID>()
  private var productID = Newest<ProductID>()
  private var subscriptionGroupID = Newest<SubscriptionGroupID>()
  private var expiresAt = Newest<Instant>()
  private var isTrialPeriod = Newest<OrderedFlag>()
  private var isInIntroOfferPeriod = Newest<OrderedFlag>()
  private var isUpgraded = Newest<UInt8>()
  private var promotionalOfferID = Newest<OfferID>()
  private var offerCodeRefName = Newest<OfferID>()
  private var ownership = Newest<OrderedOwnership>()
  private var quantity = Newest<Int32>()
  private var times = PurchaseTimes()
  private var cancellation = Cancellation()
  private var hasProductConflict = false
  private(set) var customer = Newest<CustomerID>()
  private(set) var bundle = Newest<BundleID>()
  private(set) var hasBundleConflict = false

  /// Takes a sighting of the purchase into account.
  mutating func see(
    _ sighting: PurchaseSighting, of record: ReceiptRecord, form: PurchaseIdentity.Form,
    ownerships: OwnershipOrder
  ) {
    let snapshot = ageOf(record.snapshotAt)
    let byTime = snapshot * 2 + Int64(sighting.rank.rawValue)
    let byRank = rankedAge(sighting.rank, of: record)
    if byTime > winnerAge || (byTime == winnerAge && record.source < source) {
      winnerAge = byTime
      source = record.source
    }
    isSandbox = record.isSandbox
    transactionID.see(sighting.transactionID, age: byRank)
    originalTransactionID.see(sighting.originalTransactionID, age: byTime)
    if let product = productID.value, product != sighting.productID { hasProductConflict = true }
    productID.see(sighting.productID, age: byTime)
    times.see(sighting, form: form, age: byTime)
    expiresAt.see(sighting.expiresAt, age: byTime)
    isTrialPeriod.see(sighting.isTrialPeriod.map(OrderedFlag.init), age: byTime)
    isInIntroOfferPeriod.see(sighting.isInIntroOfferPeriod.map(OrderedFlag.init), age: byTime)
    promotionalOfferID.see(sighting.promotionalOfferID, age: byTime)
    quantity.see(sighting.quantity, age: byTime)
    // Absence counts here: the flag is only ever sent as true, and goes when an upgrade is undone.
    isUpgraded.see(sighting.isUpgraded.map { $0 ? 2 : 1 } ?? 0, age: byRank)
    offerCodeRefName.see(sighting.offerCodeRefName, age: byRank)
    subscriptionGroupID.see(sighting.subscriptionGroupID, age: byRank)
    if let stated = sighting.ownership {
      ownership.see(ownerships.ordered(stated), age: byRank)
    }
    cancellation.see(sighting, age: snapshot)
    customer.see(record.customer, age: snapshot)
    if let known = bundle.value, let next = record.bundle, known != next {
      hasBundleConflict = true
    }
    bundle.see(record.bundle, age: snapshot)
  }

  /// The merged purchase; `nil` before any sighting.
  func purchase(
    as identity: PurchaseIdentity, key: PurchaseKey, bundleIDs: Set<BundleID>
  ) -> Purchase? {
    guard let transaction = transactionID.value, let original = originalTransactionID.value,
      let product = productID.value, let purchasedAt = times.purchasedAt
    else { return nil }
    return Purchase(
      key: key, isSubscription: identity.form != .oneTime, transactionID: transaction,
      originalTransactionID: original,
      lineItemID: identity.form == .lineItem ? LineItemID(identity.id) : nil, productID: product,
      bundle: bundle.value, subscriptionGroupID: subscriptionGroupID.value,
      purchasedAt: purchasedAt, expiresAt: expiresAt.value, cancelledAt: cancellation.at,
      cancellationReason: cancellation.reason, isTrialPeriod: isTrialPeriod.value?.flag,
      isInIntroOfferPeriod: isInIntroOfferPeriod.value?.flag, isUpgraded: isUpgraded.value == 2,
      promotionalOfferID: promotionalOfferID.value, offerCodeRefName: offerCodeRefName.value,
      quantity: quantity.value ?? 1, exclusion: exclusion(bundleIDs: bundleIDs),
      conflict: hasProductConflict ? .product : times.haveConflict ? .purchaseTime : nil,
      source: source)
  }

  /// Why the purchase is no revenue: the sandbox first, then the family, then a foreign app.
  private func exclusion(bundleIDs: Set<BundleID>) -> ExclusionReason? {
    if isSandbox { return .sandbox }
    if ownership.value?.type == .familyShared { return .familyShared }
    if !bundleIDs.isEmpty, let bundle = bundle.value, !bundleIDs.contains(bundle) {
      return .foreignBundle
    }
    return nil
  }
}

/// The cancellation that the newest snapshot of a purchase shows, on whichever row.
private struct Cancellation {
  private var age = Int64.min
  private(set) var at: Instant?
  private(set) var reason: Symbol?

  mutating func see(_ sighting: PurchaseSighting, age candidateAge: Int64) {
    guard candidateAge >= age else { return }
    if candidateAge > age {
      age = candidateAge
      at = nil
      reason = nil
    }
    guard let cancelledAt = sighting.cancelledAt else { return }
    if let at, at > cancelledAt { return }
    if let at, at == cancelledAt, let reason,
      reason >= sighting.cancellationReason ?? reason
    {
      return
    }
    at = cancelledAt
    reason = sighting.cancellationReason
  }
}

/// The purchase times that sightings state, and whether they agree.
///
/// A restore states when the original was bought, a few seconds beside the row of the purchase
/// itself; so restored times may differ by a minute, the others must be equal.
private struct PurchaseTimes {
  private var direct = Newest<Instant>()
  private var restored = Newest<Instant>()
  private var undated = Newest<Instant>()
  private var haveDirectConflict = false
  private var first = Instant.distantFuture
  private var last = Instant.distantPast

  var purchasedAt: Instant? { direct.value ?? restored.value ?? undated.value }

  var haveConflict: Bool {
    haveDirectConflict || (restored.value != nil && last.since(first) > restoreTolerance)
  }

  mutating func see(_ sighting: PurchaseSighting, form: PurchaseIdentity.Form, age: Int64) {
    guard form == .oneTime, isRestore(sighting) else {
      if let known = direct.value, known != sighting.purchasedAt { haveDirectConflict = true }
      direct.see(sighting.purchasedAt, age: age)
      include(sighting.purchasedAt)
      return
    }
    // A restore that does not tell when the original was bought contradicts nothing.
    guard let original = sighting.originalPurchasedAt else {
      undated.see(sighting.purchasedAt, age: age)
      return
    }
    restored.see(original, age: age)
    include(original)
  }

  private mutating func include(_ time: Instant) {
    first = min(first, time)
    last = max(last, time)
  }
}

/// Whether a one-time row is a later delivery of something bought before.
///
/// Apple gives a restore a transaction id of its own, or keeps the id and moves the purchase date.
private func isRestore(_ sighting: PurchaseSighting) -> Bool {
  if sighting.transactionID.number != sighting.originalTransactionID.number { return true }
  guard let original = sighting.originalPurchasedAt else { return false }
  return sighting.purchasedAt.since(original) > restoreTolerance
}

private let restoreTolerance = Milliseconds.seconds(60)

/// A flag whose order is false, true.
struct OrderedFlag: Comparable {
  var flag: Bool

  static func < (left: OrderedFlag, right: OrderedFlag) -> Bool { !left.flag && right.flag }
}

/// An ownership with its place in the order of the texts.
struct OrderedOwnership: Comparable {
  var type: OwnershipType
  var place: Int64

  static func < (left: OrderedOwnership, right: OrderedOwnership) -> Bool {
    left.place < right.place
  }
}

/// Where the two known ownerships stand among the symbols of a sorted table.
///
/// Each symbol's place is four times its number; the known texts stand between them.
struct OwnershipOrder {
  private let purchased: Int64
  private let familyShared: Int64

  init(_ symbols: SymbolTable) {
    purchased = Self.place(of: "PURCHASED", in: symbols)
    familyShared = Self.place(of: "FAMILY_SHARED", in: symbols)
  }

  func ordered(_ type: OwnershipType) -> OrderedOwnership {
    switch type {
    case .purchased: OrderedOwnership(type: type, place: purchased)
    case .familyShared: OrderedOwnership(type: type, place: familyShared)
    case .unrecognized(let symbol):
      OrderedOwnership(type: type, place: Int64(symbol.rawValue) * 4)
    }
  }

  private static func place(of text: String, in symbols: SymbolTable) -> Int64 {
    var low = 0
    var high = symbols.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = symbols.utf8(Symbol(rawValue: UInt32(middle)))
        .lexicographicallyPrecedes(text.utf8)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    // Both texts may fall between the same two symbols: FAMILY_SHARED before PURCHASED.
    return Int64(low) * 4 - (text == "PURCHASED" ? 1 : 2)
  }
}

/// A snapshot's time as an age: milliseconds, held within what a date can name.
func ageOf(_ time: Instant) -> Int64 {
  min(max(time, .distantPast), .distantFuture).milliseconds
}

/// The age of what only the latest list carries: any latest row is newer than every in-app row.
func rankedAge(_ rank: SightingRank, of record: ReceiptRecord) -> Int64 {
  ageOf(record.snapshotAt) + (rank == .latest ? 1 << 60 : 0)
}
