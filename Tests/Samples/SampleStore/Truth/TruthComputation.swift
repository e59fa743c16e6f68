/// Computes the truth about all rows that responses contain.
struct TruthComputation {
  private let world: World
  private let accounts: [Account]
  private let trueReports: TrueReportEvidence
  private let asOf: Int64

  /// Reads the reports of all accounts as evidence.
  init(_ world: World, _ accounts: [Account]) {
    self.world = world
    self.accounts = accounts
    trueReports = TrueReportEvidence(world, accounts)
    asOf = accounts.flatMap(\.uploads).map(\.at).max() ?? world.start
  }

  /// Computes the truth about all accounts, in their order.
  func truth() -> StoreTruth {
    var truth = StoreTruth(asOf: asOf, purchases: [], offers: [])
    for account in accounts where account.isInTruth { add(account, to: &truth) }
    return truth
  }

  private func add(_ account: Account, to truth: inout StoreTruth) {
    var shownIn: [Int: [AccountUpload]] = [:]
    for upload in account.uploads {
      for index in account.visible(at: upload.at) { shownIn[index, default: []].append(upload) }
    }
    let visible = shownIn.keys.sorted()
    let revenue = visible.filter { exclusion(of: account.purchases[$0], account).isEmpty }
    var chains: [Int64: [Int]] = [:]
    for index in revenue { chains[account.purchases[index].originalID, default: []].append(index) }
    let ordered = chains.keys.sorted().compactMap { chains[$0] }.map { chain in
      chain.sorted {
        (account.purchases[$0].purchasedAt, $0) < (account.purchases[$1].purchasedAt, $1)
      }
    }
    let reader = EvidenceReader(world, trueReports, account, chains: ordered)
    for index in visible {
      let finding = account.isContradicted ? .misled : reader.findings[index]
      truth.purchases.append(purchase(account, index, shownIn[index] ?? [], finding))
    }
    for chain in ordered { truth.offers += offers(account, chain, shownIn) }
    let newest = shownIn.mapValues { $0.map(\.at).max() ?? 0 }
    let statuses = SubscriptionTruth(world: world, account: account, newest: newest, asOf: asOf)
      .truth(chains: ordered)
    truth.subscriptions += statuses.subscriptions
    truth.eligibility += statuses.eligibility
  }

  private func purchase(
    _ account: Account, _ index: Int, _ uploads: [AccountUpload], _ finding: Finding
  ) -> TruthPurchase {
    let row = account.purchases[index]
    let newest = uploads.map(\.at).max() ?? 0
    let isUpgraded = row.isUpgraded(at: newest)
    let isRefunded = !isUpgraded && row.isCancelled(at: newest)
    return TruthPurchase(
      transactionIDs: ids(account, index, uploads), productID: world.products[row.product].id,
      kind: row.kind.rawValue, currency: row.currency.code, paidMilli: row.paid,
      isResolvable: finding.isDetermined, exclusion: exclusion(of: row, account),
      reversal: isUpgraded ? "upgrade" : isRefunded ? "refund" : "none",
      reversedAt: isUpgraded ? row.upgradedAt - 2000 : isRefunded ? row.cancelledAt : nil,
      purchasedAt: row.purchasedAt, evidence: finding.rawValue)
  }

  private func ids(_ account: Account, _ index: Int, _ uploads: [AccountUpload]) -> [String] {
    let row = account.purchases[index]
    var ids: Set<Int64> = []
    for upload in uploads {
      guard upload.signedFrom == nil else {
        ids.insert(row.id)
        continue
      }
      ids.insert(account.restore(of: index, at: upload.at)?.id ?? row.id)
      guard account.rowsShown == nil, row.knownFrom <= upload.inAppAsOf else { continue }
      ids.insert(account.restore(of: index, at: upload.inAppAsOf)?.id ?? row.aliasID)
    }
    return ids.sorted().map(String.init)
  }

  /// Determines the first reason why a purchase is excluded from revenue; empty if there is none.
  private func exclusion(of row: AccountPurchase, _ account: Account) -> String {
    if account.isSandbox { return "sandbox" }
    if row.isFamilyShared { return "family_shared" }
    return world.apps.contains(account.bundle) ? "" : "foreign_bundle"
  }

  private func offers(
    _ account: Account, _ chain: [Int], _ shownIn: [Int: [AccountUpload]]
  ) -> [TruthOffer] {
    let rows = chain.map { index in
      let row = account.purchases[index]
      let newest = shownIn[index]?.map(\.at).max() ?? .max
      return OfferPeriods.Row(
        id: row.id, kind: row.kind, offerID: row.offerID, purchasedAt: row.purchasedAt,
        endsAt: row.end(knownAt: newest), paid: row.paid)
    }
    let newest = account.looks.max()
    let isRetrying =
      chain.first.flatMap { first in
        newest.flatMap { account.state(of: account.purchases[first].originalID, at: $0) }
      }?.retry == 1
    let look = account.lastLook(at: chain)
    let isReversed = chain.last.map { index in
      let row = account.purchases[index]
      return row.isCancelled(at: look.at) || row.isUpgraded(at: look.at)
    }
    return OfferPeriods(
      rows: rows, asOf: asOf, isRetrying: isRetrying,
      isEndSeen: isReversed == true || look.shows(whatFollowed: rows.last?.endsAt ?? .min)
    ).offers()
  }
}
