internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension SubscriptionRules {
  /// Returns the subscription of each chain that has a subscription row, in the order of the
  /// chains.
  func subscriptions() -> [Subscription] {
    var subscriptions: [Subscription] = []
    subscriptions.reserveCapacity(book.chains.count)
    for chain in book.chains.indices {
      if let subscription = subscription(of: chain) { subscriptions.append(subscription) }
    }
    return subscriptions
  }

  private func subscription(of chain: Int) -> Subscription? {
    let rows = book.chains[chain].rows
    guard let first = rows.first(where: isSubscription),
      let newest = rows.last(where: isSubscription)
    else { return nil }
    let state = newestState(of: chain)
    let access = rowGivingAccess(rows)
    // An upgraded row follows its successor if the successor was bought before that row begins.
    let current = access ?? rows.last { isSubscription($0) && !isUpgraded($0) } ?? newest
    var subscription = Subscription(
      chain: ChainPosition(chain), subscriptionGroupID: nil,
      firstStartedAt: book.purchases[first].purchasedAt, firstTrialAt: nil, firstPaidAt: nil,
      current: RowPosition(current),
      currentProductID: book.purchases[current].productID,
      status: access.map { status(while: timelines.rows[$0].kind) }
        ?? status(after: current, of: chain, state: state.map { book.renewalStates[$0] }),
      renewalState: state, expiresAt: .distantPast, spells: 0, paidCount: 0)
    if let unseen = unseenEnd(ofChain: chain) {
      subscription.seenThroughAt = book.chains[chain].lastSeenAt
      subscription.unseenUntil = unseen.countsUntil
    }
    for row in rows where isSubscription(row) {
      let purchase = book.purchases[row]
      subscription.subscriptionGroupID =
        purchase.subscriptionGroupID ?? subscription.subscriptionGroupID
      if subscription.firstTrialAt == nil, timelines.rows[row].kind == .trial {
        subscription.firstTrialAt = purchase.purchasedAt
      }
      if isPaid(row) {
        if subscription.firstPaidAt == nil { subscription.firstPaidAt = purchase.purchasedAt }
        subscription.paidCount += 1
      }
      subscription.expiresAt = max(subscription.expiresAt, timelines.rows[row].accessEndsAt)
      subscription.spells = max(subscription.spells, timelines.rows[row].spellNumber ?? 0)
    }
    let isRenewing = state.map { book.renewalStates[$0].willGoOn == true } ?? false
    if access != nil, isRenewing { subscription.renewsAt = subscription.expiresAt }
    return subscription
  }

  private func isSubscription(_ row: Int) -> Bool { book.purchases[row].isSubscription }

  private func isUpgraded(_ row: Int) -> Bool { timelines.rows[row].reversal?.kind == .upgrade }

  /// The status of a chain after the end of access, from its newest row and its newest renewal
  /// state.
  ///
  /// The first condition that is true determines the status:
  ///
  /// - The newest row was refunded: `revoked`.
  /// - The renewal state is missing, or was last observed before the newest row began: the last
  ///   two conditions.
  /// - The grace period of the renewal state ends after the as-of time, and the chain is not on a
  ///   commitment plan: `grace`.
  /// - Apple tries to charge, and the newest row ended less than 60 days before the as-of time, or
  ///   90 days on a commitment plan: `billing_retry`.
  /// - No snapshot has seen the end, and it counts as not seen: `not_seen`.
  /// - Otherwise: `expired`.
  private func status(after newest: Int, of chain: Int, state: RenewalState?) -> SubscriptionStatus
  {
    if timelines.rows[newest].reversal?.kind == .refund { return .revoked }
    let over =
      unseenEnd(ofChain: chain).map { asOf < $0.countsUntil ? .notSeen : .expired }
      ?? SubscriptionStatus.expired
    guard let state, state.lastObservedAt >= book.purchases[newest].purchasedAt else {
      return over
    }
    let isOnPlan = timelines.isOnCommitmentPlan(book.chains[chain], of: book)
    if !isOnPlan, let graceEnd = state.gracePeriodExpiresAt, graceEnd > asOf { return .grace }
    let window = CommitmentPlan.retryWindow(isOnPlan: isOnPlan)
    let retryEnd = book.purchases[newest].endsAt.advanced(by: window)
    return state.isInBillingRetry == true && asOf < retryEnd ? .billingRetry : over
  }

  /// The newest row that gives access at the as-of time, else the first row that begins after that
  /// time.
  ///
  /// A refunded row gives no access; an upgraded row gives access until its successor begins.
  private func rowGivingAccess(_ rows: Range<Int>) -> Int? {
    var coming: Int?
    for row in rows.reversed() where isSubscription(row) {
      let timeline = timelines.rows[row]
      guard timeline.reversal?.kind != .refund, timeline.accessEndsAt > asOf else { continue }
      if book.purchases[row].purchasedAt <= asOf { return row }
      coming = row
    }
    return coming
  }

  private func status(while kind: PeriodKind) -> SubscriptionStatus {
    switch kind {
    case .trial: .trial
    case .intro: .intro
    case .promo, .offerCode: .promo
    case .regular, .oneTime: .active
    }
  }
}
