internal import CivilTime
internal import PurchaseModel

/// The newest value of one field; if several are equally new, the largest.
struct Newest<Value: Comparable> {
  private(set) var value: Value?
  private(set) var recency = Int64.min

  /// Replaces the value by a candidate that is newer, or equally new and larger.
  ///
  /// Ignores `nil`.
  mutating func include(_ candidate: Value?, recency candidateRecency: Int64) {
    guard let candidate else { return }
    if let value, (recency, value) >= (candidateRecency, candidate) { return }
    value = candidate
    recency = candidateRecency
  }
}

/// Merges the observations of one purchase field by field.
///
/// - A field that rows of both lists have, `in_app` and `latest_receipt_info` (`byTime`): the
///   newest snapshot has priority; in a tie, the row of `latest_receipt_info`.
/// - A field that only rows of `latest_receipt_info` have (`byRank`): a row of this list has
///   priority, and of several such rows the newest.
/// - The cancellation: only the newest snapshot is used.
///
/// Rows of a hosted service's export are older than every row of Apple's, whatever their time. So
/// they only fill in what Apple's data lack.
///
/// In any other tie the larger value is used, so the order of the observations does not matter.
struct PurchaseMerge {
  private var isSandbox = false
  private var winnerRecency = Int64.min
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
  private var signed = SignedMerge()
  private var service = ServiceMerge()
  /// The product in Apple's own data; `nil` if only a service has the purchase.
  private var appleProduct: ProductID?
  private var hasProductConflict = false
  /// The earliest of Apple's snapshots; `nil` if only a service has the purchase.
  private var firstSeenAt: Instant?
  /// The earliest `original_purchase_date` of the observations.
  private(set) var originalPurchasedAt: Instant?
  /// The time of the newest snapshot of the purchase.
  private(set) var lastSeenAt = Instant.distantPast
  private(set) var bundle = Newest<BundleID>()
  private(set) var namesEnvironment = false

  /// Merges another observation of the purchase.
  mutating func include(
    _ observation: TransactionObservation, of record: ReceiptRecord, form: PurchaseIdentity.Form,
    ownerships: OwnershipOrder
  ) {
    let snapshot = recencyOf(record.snapshotAt)
    // In ascending order: in-app rows, latest rows, signed transactions. So signed transactions win
    // a tie.
    let list = Int64(observation.rank.rawValue) * 2 + (observation.isSigned ? 1 : 0)
    let isOfService = observation.service != nil
    let byTime = snapshot * 4 + list - (isOfService ? serviceAge : 0)
    let byRank = rankedRecency(observation, of: record)
    if byTime > winnerRecency || (byTime == winnerRecency && record.source < source) {
      winnerRecency = byTime
      source = record.source
    }
    isSandbox = record.isSandbox
    if !record.isProductionAssumed { namesEnvironment = true }
    transactionID.include(observation.transactionID, recency: byRank)
    originalTransactionID.include(observation.originalTransactionID, recency: byTime)
    productID.include(observation.productID, recency: byTime)
    if let terms = observation.service {
      service.include(terms, at: observation.purchasedAt, recency: snapshot)
    } else {
      if let appleProduct, appleProduct != observation.productID { hasProductConflict = true }
      appleProduct = observation.productID
      firstSeenAt = min(firstSeenAt ?? record.snapshotAt, record.snapshotAt)
      times.include(observation, form: form, recency: byTime)
    }
    expiresAt.include(observation.expiresAt, recency: byTime)
    isTrialPeriod.include(observation.isTrialPeriod.map(OrderedFlag.init), recency: byTime)
    isInIntroOfferPeriod.include(
      observation.isInIntroOfferPeriod.map(OrderedFlag.init), recency: byTime)
    promotionalOfferID.include(observation.promotionalOfferID, recency: byTime)
    quantity.include(observation.quantity, recency: byTime)
    // An absent flag is a value too: Apple sends only true, and removes the flag when an upgrade is
    // undone.
    isUpgraded.include(observation.isUpgraded.map { $0 ? 2 : 1 } ?? 0, recency: byRank)
    offerCodeRefName.include(observation.offerCodeRefName, recency: byRank)
    subscriptionGroupID.include(observation.subscriptionGroupID, recency: byRank)
    if let stated = observation.ownership {
      ownership.include(ownerships.ordered(stated), recency: byRank)
    }
    if isOfService {
      service.include(cancelledAt: observation.cancelledAt, recency: snapshot)
    } else {
      cancellation.include(observation, recency: snapshot)
    }
    if let terms = observation.signed {
      signed.include(terms, recency: snapshot - (isOfService ? serviceAge / 2 : 0))
    }
    lastSeenAt = max(lastSeenAt, record.snapshotAt)
    if let original = observation.originalPurchasedAt {
      originalPurchasedAt = min(originalPurchasedAt ?? original, original)
    }
    bundle.include(record.bundle, recency: snapshot)
  }

  /// The merged purchase; `nil` without observations.
  func purchase(
    as identity: PurchaseIdentity, key: PurchaseKey, bundleIDs: Set<BundleID>
  ) -> Purchase? {
    guard let transaction = transactionID.value, let original = originalTransactionID.value,
      let product = productID.value, let purchasedAt = times.purchasedAt ?? service.purchasedAt
    else { return nil }
    let cancelledAt = cancelledAt
    return Purchase(
      key: key, isSubscription: identity.form != .oneTime, transactionID: transaction,
      originalTransactionID: original,
      lineItemID: identity.lineItemID, productID: product,
      bundle: bundle.value, subscriptionGroupID: subscriptionGroupID.value,
      purchasedAt: purchasedAt, expiresAt: expiresAt.value, cancelledAt: cancelledAt,
      cancellationReason: cancellation.reason, isTrialPeriod: isTrialPeriod.value?.flag,
      isInIntroOfferPeriod: isInIntroOfferPeriod.value?.flag, isUpgraded: isUpgraded.value == 2,
      promotionalOfferID: promotionalOfferID.value, offerCodeRefName: offerCodeRefName.value,
      quantity: quantity.value ?? 1, signed: signed.terms(cancelledAt: cancelledAt),
      service: service.terms, isOfServiceOnly: appleProduct == nil,
      firstSeenAt: firstSeenAt, exclusion: exclusion(bundleIDs: bundleIDs),
      conflict: hasProductConflict ? .product : times.haveConflict ? .purchaseTime : nil,
      source: source)
  }

  /// The time of the refund, upgrade or revocation.
  ///
  /// A refund that a service states counts if it is later than Apple's newest snapshot: that
  /// snapshot cannot show it.
  private var cancelledAt: Instant? {
    if let at = cancellation.at { return at }
    guard let at = service.cancelledAt, appleProduct == nil || recencyOf(at) > cancellation.recency
    else { return nil }
    return at
  }

  /// The reason why the purchase is excluded from revenue; `nil` if it is included.
  ///
  /// If several reasons apply, the order is: sandbox, ownership, another app.
  private func exclusion(bundleIDs: Set<BundleID>) -> ExclusionReason? {
    if isSandbox { return .sandbox }
    if let reason = ownership.value?.exclusion { return reason }
    if !bundleIDs.isEmpty, let bundle = bundle.value, !bundleIDs.contains(bundle) {
      return .foreignBundle
    }
    return nil
  }
}

/// A Boolean that can be sorted: false precedes true.
struct OrderedFlag: Comparable {
  var flag: Bool

  static func < (left: OrderedFlag, right: OrderedFlag) -> Bool { !left.flag && right.flag }
}

/// The recency of a snapshot in milliseconds, limited to times with a four-digit year.
func recencyOf(_ time: Instant) -> Int64 {
  min(max(time, .distantPast), .distantFuture).milliseconds
}

/// The recency of an observation, for fields that only rows of `latest_receipt_info` have.
///
/// Any row of `latest_receipt_info` is newer than every row of `in_app`, and any row of Apple's is
/// newer than a service's. Of two rows of one time,
/// the row of a signed transaction is newer.
func rankedRecency(_ observation: TransactionObservation, of record: ReceiptRecord) -> Int64 {
  recencyOf(record.snapshotAt) * 2 + (observation.isSigned ? 1 : 0)
    + (observation.rank == .latest ? 1 << 60 : 0) - (observation.service == nil ? 0 : serviceAge)
}

/// A number that makes a service's row older than every row of Apple's.
private let serviceAge: Int64 = 1 << 58
