internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// All chains of state.db, merged share by share: the output of merging.
struct MergedChains {
  /// The texts, files and price reports.
  let set: SightingSet
  /// The shares, by number.
  let shares: [ShareSummary]
  /// The chains as bytes, by share and unit.
  let chains: ExternalSort
  /// Every claim to a transaction id, by id.
  let claims: ExternalSort
  /// The storefronts in records without a row.
  let loneStorefronts: [StorefrontSighting]
  /// The newest snapshot; `nil` without a record.
  let newestSnapshot: Instant?

  /// A claim as it waits for others to the same id.
  struct Claim: BitwiseCopyable {
    var strength: Int64
    var purchase: ClaimedPurchase
  }

  /// Reads and merges everything that is stored.
  init(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings,
    memory: SortMemory, workers: Int
  ) throws(RunFailure) {
    let (chains, claims) = (ExternalSort(memory: memory), ExternalSort(memory: memory))
    let loaded = try state.load(
      asOf: settings.asOf, texts, workers: workers
    ) { number, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      let share = MergedShare(set, bundleIDs: settings.bundles(in: set.symbols))
      try Self.handOn(share, Int32(number), chains, claims)
      return ShareSummary(share, catalogue: settings.catalogue.catalogue(in: set.symbols))
    }
    set = loaded.set
    shares = loaded.shares
    self.chains = chains
    self.claims = claims
    loneStorefronts = loaded.loneStorefronts
    newestSnapshot = loaded.newestSnapshot
  }

  private static func handOn(
    _ share: MergedShare, _ number: Int32, _ chains: ExternalSort, _ claims: ExternalSort
  ) throws(RunFailure) {
    let writer = chains.writer()
    try unsafe share.forEachChain { (unit, bytes) throws(RunFailure) in
      try unsafe SortedKey(number, Int32(unit)).withBytes { key throws(RunFailure) in
        try unsafe writer.add(key: key, value: bytes)
      }
    }
    try writer.finish()
    let claimWriter = claims.writer()
    for claim in share.claims {
      let purchase = share.book.purchases[Int(claim.purchase)]
      var value = Claim(
        strength: claim.strength,
        purchase: ClaimedPurchase(purchase, at: ChainPlace(share: Int(number), unit: claim.unit)))
      var id = claim.transactionID.number.rawValue.bigEndian
      let added = unsafe withUnsafeBytes(of: &id) { key in
        unsafe withUnsafeBytes(of: &value) { value in
          Result { () throws(RunFailure) in try unsafe claimWriter.add(key: key, value: value) }
        }
      }
      try added.get()
    }
    try claimWriter.finish()
  }

  /// Settles the ids that purchases of several chains claim, and finds the purchases of the given
  /// ids.
  ///
  /// Of several claims the strongest counts, of equally strong ones that of the smaller key.
  func settle(_ asked: Set<TransactionID>) throws(RunFailure) -> SettledClaims {
    var settled = SettledClaims()
    let reader = try claims.reader()
    var last: (id: TransactionID, claim: Claim, isContested: Bool)?
    func end() {
      guard let last else { return }
      if last.isContested { settled.winners[last.id] = last.claim.purchase.named.key }
      if asked.contains(last.id) { settled.purchases[last.id] = last.claim.purchase }
    }
    while try reader.next() {
      let bits = unsafe reader.key.loadUnaligned(as: UInt64.self)
      let id = TransactionID(AppleNumber(rawValue: UInt64(bigEndian: bits)))
      let claim = unsafe reader.value.loadUnaligned(as: Claim.self)
      guard let known = last, known.id == id else {
        end()
        last = (id, claim, false)
        continue
      }
      let isStronger =
        claim.strength == known.claim.strength
        ? claim.purchase.named.key < known.claim.purchase.named.key
        : claim.strength > known.claim.strength
      last = (id, isStronger ? claim : known.claim, true)
    }
    end()
    return settled
  }
}

/// The purchases that transaction ids lead to.
struct SettledClaims {
  /// Of ids that purchases of several chains claim: the purchase they go to.
  var winners: [TransactionID: PurchaseKey] = [:]
  /// The purchases that the ids in reports lead to.
  var purchases: [TransactionID: ClaimedPurchase] = [:]
}

/// Two whole numbers from 0, as bytes in their order.
struct SortedKey {
  private var bits: UInt64

  init(_ first: Int32, _ second: Int32) {
    bits = (UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))).bigEndian
  }

  init(_ bytes: UnsafeRawBufferPointer) { unsafe bits = bytes.loadUnaligned(as: UInt64.self) }

  /// The first number.
  var first: Int32 { Int32(truncatingIfNeeded: UInt64(bigEndian: bits) >> 32) }
  /// The second number.
  var second: Int32 { Int32(truncatingIfNeeded: UInt64(bigEndian: bits)) }

  /// Lends the bytes.
  func withBytes(_ body: (UnsafeRawBufferPointer) throws(RunFailure) -> Void) throws(RunFailure) {
    let result = unsafe withUnsafeBytes(of: bits) { bytes in
      Result { () throws(RunFailure) in try unsafe body(bytes) }
    }
    try result.get()
  }
}
