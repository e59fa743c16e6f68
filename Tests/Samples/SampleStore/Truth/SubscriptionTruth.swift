/// Computes the true status of one account's subscriptions, and its eligibility for offers.
///
/// The status is derived from the rows in responses and from the simulated account, without any
/// code of the pipeline.
struct SubscriptionTruth {
  let world: World
  let account: Account
  /// The time of the newest response that shows a purchase, keyed by the purchase's position.
  let newest: [Int: Int64]
  let asOf: Int64

  /// One chain with the positions of its revenue rows that responses show, sorted by time.
  private struct ShownChain {
    var id: Int64
    var rows: [Int]
    var status = ""
    var isEndSeen = true
  }

  /// Computes the status of each subscription and the account's eligibility for offers.
  ///
  /// `chains` has the positions of the revenue rows, sorted by time within each chain.
  func truth(chains: [[Int]]) -> (
    subscriptions: [TruthSubscription], eligibility: [TruthEligibility]
  ) {
    let shown = chains.filter { account.purchases[$0[0]].isSubscription }.map { rows in
      var chain = ShownChain(id: account.purchases[rows[0]].originalID, rows: rows)
      chain.status = status(of: chain)
      let end = rows.map(accessEnd).max() ?? .min
      chain.isEndSeen =
        chain.status == "revoked" || account.lastLook(at: rows).shows(whatFollowed: end)
      return chain
    }
    return (
      shown.map {
        TruthSubscription(
          originalTransactionID: String($0.id), status: $0.status, isEndSeen: $0.isEndSeen)
      },
      eligibility(shown)
    )
  }

  // MARK: - Status

  private func status(of chain: ShownChain) -> String {
    let open = chain.rows.filter { !isRefunded($0) && accessEnd(of: $0) > asOf }
    if let now = open.last(where: { account.purchases[$0].purchasedAt <= asOf }) ?? open.first {
      switch account.purchases[now].kind {
      case .trial: return "trial"
      case .intro: return "intro"
      case .promo, .offerCode: return "promo"
      case .regular, .oneTime: return "active"
      }
    }
    guard let last = chain.rows.last else { return "expired" }
    if isRefunded(last) { return "revoked" }
    let row = account.purchases[last]
    guard let seen = account.looks.filter({ $0 >= row.purchasedAt }).max(),
      let state = account.state(of: chain.id, at: seen)
    else { return "expired" }
    if state.graceUntil > asOf { return "grace" }
    return state.retry == 1 && asOf < end(of: last) + 60 * BillingClock.day
      ? "billing_retry" : "expired"
  }

  private func end(of row: Int) -> Int64 {
    account.purchases[row].end(knownAt: newest[row] ?? .max)
  }

  private func accessEnd(of row: Int) -> Int64 {
    let purchase = account.purchases[row]
    // The upgraded-to plan begins two seconds before Apple marks the row.
    return purchase.isUpgraded(at: newest[row] ?? 0)
      ? min(end(of: row), purchase.upgradedAt - 2000) : end(of: row)
  }

  private func isRefunded(_ row: Int) -> Bool {
    let (purchase, seen) = (account.purchases[row], newest[row] ?? 0)
    return !purchase.isUpgraded(at: seen) && purchase.isCancelled(at: seen)
  }

  // MARK: - Eligibility

  /// Computes the eligibility from chains that an export contains together with the customer's id.
  private func eligibility(_ chains: [ShownChain]) -> [TruthEligibility] {
    var chainsOf: [String: [ShownChain]] = [:]
    for chain in chains where isNamed(chain) {
      // The catalogue lists every subscription, so the group is always known.
      guard let last = chain.rows.last,
        let group = world.products[account.purchases[last].product].group
      else { continue }
      chainsOf[group, default: []].append(chain)
    }
    return chainsOf.keys.sorted().map { group in
      let chains = chainsOf[group] ?? []
      return TruthEligibility(
        originalTransactionID: String(chains[0].id), groupID: group,
        introReason: introReason(chains), isPromoEligible: true)
    }
  }

  private func introReason(_ chains: [ShownChain]) -> String {
    let rows = chains.flatMap(\.rows)
    let kinds = Set(rows.map { account.purchases[$0].kind })
    if kinds.contains(.trial) { return "used_trial" }
    if kinds.contains(.intro) { return "used_intro" }
    let statuses = Set(chains.map(\.status))
    if !statuses.isDisjoint(with: ["trial", "intro", "promo", "active"]) { return "active" }
    if rows.contains(where: isRefunded) { return "refunded" }
    return statuses.contains("grace") ? "in_grace_period" : "eligible"
  }

  /// Whether an export has the customer's id together with the chain.
  private func isNamed(_ chain: ShownChain) -> Bool {
    account.uploads.contains { upload in
      upload.form.hasRecord && !account.customerID(at: upload.at).isEmpty
        && !Set(account.visible(at: upload.at)).isDisjoint(with: chain.rows)
    }
  }
}
