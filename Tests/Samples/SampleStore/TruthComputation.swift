/// Computes the truth about customers, restricted to the purchases that responses show.
struct TruthComputation {
  let plan: StorePlan
  let evidence: ReportEvidence
  let asOf: Int64

  /// Returns the customer's purchases that responses show, and the offer periods of the revenue.
  ///
  /// Both lists are empty if ``SampleCustomer/isInTruth`` is false.
  func truth(of customer: SampleCustomer) -> (purchases: [TruthPurchase], offers: [TruthOffer]) {
    guard customer.isInTruth else { return ([], []) }
    let visible = customer.purchases.indices.filter { index in
      customer.uploads.contains { $0.shows(customer.purchases[index]) }
    }
    let revenue = visible.filter { exclusion(of: customer.purchases[$0], customer).isEmpty }
    let chains = chains(of: customer, rows: revenue)
    var resolvable: Set<Int> = []
    let resolver = Resolver(plan: plan, evidence: evidence, customer: customer)
    for chain in chains where !customer.isContradicted {
      resolvable.formUnion(resolver.resolvable(inChain: chain))
    }

    let purchases = visible.map { index in
      let purchase = customer.purchases[index]
      let reversal = reversal(of: purchase, customer)
      return TruthPurchase(
        transactionIDs: ids(of: index, customer), productID: purchase.product.id,
        kind: purchase.kind.rawValue, currency: purchase.market.currency.code,
        paidMilli: purchase.isFamilyShared ? 0 : purchase.paid,
        isResolvable: resolvable.contains(index) || isSigned(index, among: revenue, customer),
        exclusion: exclusion(of: purchase, customer),
        reversal: reversal.kind, reversedAt: reversal.at, purchasedAt: purchase.purchasedAt)
    }
    return (purchases, chains.flatMap { offers(inChain: $0, customer) })
  }

  /// Whether a signed transaction has the price of a purchase.
  private func isSigned(_ index: Int, among revenue: [Int], _ customer: SampleCustomer) -> Bool {
    revenue.contains(index) && !customer.isContradicted
      && customer.uploads.contains { $0.signsPrice(of: customer.purchases[index]) }
  }

  /// Computes the status of each subscription, and the customer's eligibility for offers.
  func statuses(of customer: SampleCustomer) -> (
    subscriptions: [TruthSubscription], eligibility: [TruthEligibility]
  ) {
    guard customer.isInTruth else { return ([], []) }
    let revenue = customer.purchases.indices.filter { index in
      exclusion(of: customer.purchases[index], customer).isEmpty
        && customer.uploads.contains { $0.shows(customer.purchases[index]) }
    }
    return SubscriptionTruth(customer: customer, asOf: asOf).truth(revenue: revenue)
  }

  /// The first reason why a purchase is excluded from revenue; empty if there is none.
  private func exclusion(of purchase: SamplePurchase, _ customer: SampleCustomer) -> String {
    if customer.isSandbox { return "sandbox" }
    if purchase.isFamilyShared { return "family_shared" }
    return customer.bundle == SampleCustomer.bundle ? "" : "foreign_bundle"
  }

  /// Groups rows by chain: the positions of each chain's rows, sorted by purchase time.
  private func chains(of customer: SampleCustomer, rows: [Int]) -> [[Int]] {
    var chains: [Int64: [Int]] = [:]
    for row in rows { chains[customer.purchases[row].originalID, default: []].append(row) }
    return chains.keys.sorted().compactMap { chains[$0] }.map { chain in
      chain.sorted {
        (customer.purchases[$0].purchasedAt, $0) < (customer.purchases[$1].purchasedAt, $1)
      }
    }
  }

  private func ids(of index: Int, _ customer: SampleCustomer) -> [String] {
    let purchase = customer.purchases[index]
    var ids: [Int64] = []
    for upload in customer.uploads where upload.shows(purchase) {
      guard upload.signedFrom == nil else {
        ids.append(purchase.id)
        continue
      }
      ids.append(customer.restore(of: index, at: upload.at)?.id ?? purchase.id)
      if upload.showsInApp(purchase) {
        ids.append(customer.restore(of: index, at: upload.inAppAsOf)?.id ?? purchase.inAppID)
      }
    }
    return Array(Set(ids)).sorted().map(String.init)
  }

  private func reversal(of purchase: SamplePurchase, _ customer: SampleCustomer)
    -> (kind: String, at: Int64?)
  {
    let newest = customer.uploads.filter { $0.shows(purchase) }.map(\.at).max() ?? 0
    if purchase.upgradedAt != 0, purchase.upgradedAt <= newest {
      return ("upgrade", purchase.upgradedAt - 2000)
    }
    if purchase.isCancelled(at: newest) { return ("refund", purchase.cancelledAt) }
    return ("none", nil)
  }

  /// Finds the offer periods of a chain and their results.
  private func offers(inChain chain: [Int], _ customer: SampleCustomer) -> [TruthOffer] {
    let rows = chain.map { index in
      let row = customer.purchases[index]
      return OfferPeriods.Row(
        id: row.id, kind: row.kind, offerID: row.offerID, purchasedAt: row.purchasedAt,
        endsAt: row.endsAt, paid: row.paid)
    }
    let isRetrying = chain.first.map {
      newestState(of: customer.purchases[$0], customer)?.retry == 1
    }
    let isReversed = chain.last.map { reversal(of: customer.purchases[$0], customer).at != nil }
    let isEndSeen =
      isReversed == true
      || customer.lastLook(at: chain).shows(whatFollowed: rows.last?.endsAt ?? .min)
    return OfferPeriods(
      rows: rows, asOf: asOf, isRetrying: isRetrying ?? false, isEndSeen: isEndSeen
    ).offers()
  }

  private func newestState(of purchase: SamplePurchase, _ customer: SampleCustomer)
    -> SampleRenewalState?
  {
    let newest = customer.uploads.filter { $0.form != .flat }.map(\.at).max()
    return newest.flatMap { customer.state(of: purchase.originalID, at: $0) }
  }
}

extension SampleUpload {
  /// Whether the response shows the purchase in any of its lists.
  func shows(_ purchase: SamplePurchase) -> Bool { purchase.isVisible(at: at) }

  /// Whether the phone's receipt shows the purchase; the receipt may be older than the response.
  func showsInApp(_ purchase: SamplePurchase) -> Bool {
    purchase.isVisible(at: at) && purchase.knownFrom <= inAppAsOf
  }
}

extension SampleCustomer {
  /// The restore that a response at a moment shows for the purchase at a position.
  func restore(of purchase: Int, at moment: Int64) -> SampleRestore? {
    restores.last { $0.purchase == purchase && $0.at <= moment }
  }
}
