internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Joining
internal import Parallel
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// All chains of state.db, merged share by share: the output of merging.
struct MergedChains {
  /// The texts and files.
  let set: SightingSet
  /// The shares, by number.
  private(set) var shares: [ShareSummary]
  /// The price reports.
  let reports: LoadedReports
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
    let reports = LoadedReports(memory: memory)
    let loaded = try state.load(
      asOf: settings.asOf, texts, workers: workers, reports: reports.add
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
    self.reports = reports
    loneStorefronts = loaded.loneStorefronts
    newestSnapshot = loaded.newestSnapshot
  }

  private static func handOn(
    _ share: MergedShare, _ number: Int32, _ chains: ExternalSort, _ claims: ExternalSort
  ) throws(RunFailure) {
    let writer = chains.writer()
    try unsafe share.forEachChain { (unit, bytes) throws(RunFailure) in
      try unsafe writer.add(SortedKey(number, Int32(unit)), bytes)
    }
    try writer.finish()
    let claimWriter = claims.writer()
    for claim in share.claims {
      let purchase = share.book.purchases[Int(claim.purchase)]
      try claimWriter.add(
        SortedKey(claim.transactionID),
        value: Claim(
          strength: claim.strength,
          purchase: ClaimedPurchase(purchase, at: ChainPlace(share: Int(number), unit: claim.unit)))
      )
    }
    try claimWriter.finish()
  }

  /// Forgets which chains belong together, once they are joined.
  mutating func forgetEncounters() {
    for number in shares.indices { shares[number].forgetEncounters() }
  }

  /// Settles the ids that purchases of several chains claim, and finds the purchases of the given
  /// ids.
  ///
  /// Of several claims the strongest counts, of equally strong ones that of the smaller key.
  ///
  /// - Parameter asked: The ids that reports name, ascending.
  /// - Returns: The winners, and the purchases.
  /// - Throws: ``RunFailure`` if a temporary file cannot be read.
  func settle(_ asked: [TransactionID]) throws(RunFailure) -> SettledClaims {
    var settled = SettledClaims(asked: asked)
    let reader = try claims.reader()
    var last: (id: TransactionID, claim: Claim, isContested: Bool)?
    func end() {
      guard let last else { return }
      settled.settle(last.id, last.claim.purchase, isContested: last.isContested)
    }
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      let claim = reader.value(Claim.self)
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
  private(set) var winners: [TransactionID: PurchaseKey] = [:]
  private var asked: [TransactionID]
  private var purchases: [ClaimedPurchase?]
  private var next = 0

  /// - Parameter asked: The ids that reports name, ascending.
  fileprivate init(asked: [TransactionID]) {
    self.asked = asked
    purchases = Array(repeating: nil, count: asked.count)
  }

  /// The purchase that an id leads to; `nil` for an id that was not asked for, or never seen.
  func purchase(named id: TransactionID) -> ClaimedPurchase? {
    let place = asked.firstPosition { $0 >= id }
    return place < asked.count && asked[place] == id ? purchases[place] : nil
  }

  /// Settles the next id.
  fileprivate mutating func settle(
    _ id: TransactionID, _ purchase: ClaimedPurchase, isContested: Bool
  ) {
    if isContested { winners[id] = purchase.named.key }
    while next < asked.count, asked[next] < id { next += 1 }
    if next < asked.count, asked[next] == id { purchases[next] = purchase }
  }
}
