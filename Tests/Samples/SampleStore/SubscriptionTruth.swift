/// Computes the true status of one customer's subscriptions, and the customer's eligibility for
/// offers.
///
/// The status is derived from the rows in responses and from the simulated customer, without any
/// code of the pipeline.
struct SubscriptionTruth {
  let customer: SampleCustomer
  let asOf: Int64

  /// One chain with its revenue rows that responses show, sorted by time.
  private struct ShownChain {
    var id: Int64
    var rows: [SamplePurchase]
    var status = ""
    var isEndSeen = true
  }

  /// Computes the status of each subscription and the customer's eligibility for offers.
  ///
  /// `revenue` has the positions of the revenue rows.
  func truth(revenue: [Int]) -> (
    subscriptions: [TruthSubscription], eligibility: [TruthEligibility]
  ) {
    var rowsOf: [Int64: [SamplePurchase]] = [:]
    for row in revenue.map({ customer.purchases[$0] }) where row.isSubscription {
      rowsOf[row.originalID, default: []].append(row)
    }
    let chains = rowsOf.keys.sorted().map { id in
      var chain = ShownChain(
        id: id,
        rows: (rowsOf[id] ?? []).sorted { ($0.purchasedAt, $0.id) < ($1.purchasedAt, $1.id) })
      chain.status = status(of: chain)
      let end = chain.rows.map(accessEnd).max() ?? .min
      let positions = revenue.filter { customer.purchases[$0].originalID == id }
      chain.isEndSeen =
        chain.status == "revoked"
        || customer.lastLook(at: positions).shows(whatFollowed: end)
      return chain
    }
    return (
      chains.map {
        TruthSubscription(
          originalTransactionID: String($0.id), status: $0.status, isEndSeen: $0.isEndSeen)
      },
      eligibility(chains)
    )
  }

  // MARK: - Status

  private func status(of chain: ShownChain) -> String {
    let open = chain.rows.filter { !isRefunded($0) && accessEnd(of: $0) > asOf }
    if let now = open.last(where: { $0.purchasedAt <= asOf }) ?? open.first {
      switch now.kind {
      case .trial: return "trial"
      case .intro: return "intro"
      case .promo, .offerCode: return "promo"
      case .regular, .oneTime: return "active"
      }
    }
    guard let newest = chain.rows.last else { return "expired" }
    if isRefunded(newest) { return "revoked" }
    let uploads = customer.uploads.filter { $0.form != .flat && $0.at >= newest.purchasedAt }
    guard let seen = uploads.map(\.at).max(), let state = customer.state(of: chain.id, at: seen)
    else { return "expired" }
    if state.graceUntil > asOf { return "grace" }
    return state.retry == 1 && asOf < newest.endsAt + 60 * BillingClock.day
      ? "billing_retry" : "expired"
  }

  private func accessEnd(of row: SamplePurchase) -> Int64 {
    let newest = newestUpload(showing: row)
    // The upgraded-to plan begins two seconds before Apple marks the row.
    if row.upgradedAt != 0, row.upgradedAt <= newest {
      return min(row.endsAt, row.upgradedAt - 2000)
    }
    return row.endsAt
  }

  private func isRefunded(_ row: SamplePurchase) -> Bool {
    let newest = newestUpload(showing: row)
    if row.upgradedAt != 0, row.upgradedAt <= newest { return false }
    return row.isCancelled(at: newest)
  }

  private func newestUpload(showing row: SamplePurchase) -> Int64 {
    customer.uploads.filter { $0.shows(row) }.map(\.at).max() ?? 0
  }

  // MARK: - Eligibility

  /// Computes the eligibility from chains that an export contains together with the customer's id.
  private func eligibility(_ chains: [ShownChain]) -> [TruthEligibility] {
    guard !customer.id.isEmpty else { return [] }
    var chainsOf: [String: [ShownChain]] = [:]
    for chain in chains where isNamed(chain) {
      // The catalogue lists every subscription, so the group is always known.
      guard let group = chain.rows.last?.product.group else { continue }
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
    if rows.contains(where: { $0.kind == .trial }) { return "used_trial" }
    if rows.contains(where: { $0.kind == .intro }) { return "used_intro" }
    let statuses = Set(chains.map(\.status))
    if !statuses.isDisjoint(with: ["trial", "intro", "promo", "active"]) { return "active" }
    if rows.contains(where: isRefunded) { return "refunded" }
    return statuses.contains("grace") ? "in_grace_period" : "eligible"
  }

  /// Whether an export has the customer's id together with the chain.
  private func isNamed(_ chain: ShownChain) -> Bool {
    customer.uploads.contains { upload in
      switch upload.form {
      case .record, .text, .flat: chain.rows.contains(where: upload.shows)
      case .bare, .notification: false
      }
    }
  }
}
