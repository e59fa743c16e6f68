internal import CivilTime

/// Decides which amounts of one account the exports determine.
///
/// The reader uses Apple's rules, the catalogue, and every record and report. It knows the true
/// reports, but does not use the charges. An amount is **determined** ("resolvable") if one of
/// these cases holds:
/// 1. The row's flags make it free.
/// 2. A true report has the purchase's transaction id and the price that fits its kind, and more
///    customers report this price than any false price.
/// 3. The previous row belongs to the same offer, and its amount is determined.
/// 4. Reports show the price at the time of the row (``TrueReportEvidence``). The price is equal in
///    every storefront in which the row may have been bought (``PlaceReader``). Among the regular
///    rows of a subscription, this case applies only to the first row of a plan and to the first
///    row after a lapse that the exports show.
/// 5. The catalogue has the price of the offer or of the product, and the possible storefronts have
///    one currency.
/// 6. An earlier regular row is determined, reports show the list price at the time of this row,
///    and the effect of every price change between the two rows is known. A cut applies to all
///    subscribers. The effect of a rise is in the catalogue, or a response shows a consent. A price
///    that fell and returned between the two rows has no effect, unless the catalogue has these
///    changes.
/// 7. The exports have the charge of the row: Apple's signed or decoded transaction, a row of the
///    owner's table, or a service's event of a first purchase. A charge is what was paid, so that
///    no report of other customers speaks against it.
/// 8. The row is a monthly payment of a yearly plan, and an earlier payment of the same commitment
///    is determined.
///
/// The result of a row is its ``Finding``: the case that holds, or the missing evidence. It is
/// ``Finding/misled`` if all evidence supports a wrong amount. This code does not call code of the
/// pipeline, because the pipeline must find the true reports without knowing the truth.
struct EvidenceReader {
  let world: World
  let trueReports: TrueReportEvidence
  let account: Account
  let place: PlaceReader
  /// The positions of the purchases whose charge the exports have.
  let charged: Set<Int>
  private(set) var findings: [Finding]

  /// Reads the chains of an account.
  ///
  /// `chains` has the positions of the rows that responses show, sorted by time within each chain.
  init(_ world: World, _ trueReports: TrueReportEvidence, _ account: Account, chains: [[Int]]) {
    self.world = world
    self.trueReports = trueReports
    self.account = account
    let stored = account.charges.filter { charge in
      // A service computes the amount of a renewal itself.
      let row = account.purchases[charge.purchase]
      return charge.form != .webhook || row.id == row.originalID
    }.map(\.purchase)
    let signed = Set(account.purchases.indices.filter(account.hasTransaction))
    charged = signed.union(stored)
    place = PlaceReader(
      world: world, account: account, households: trueReports.households, signed: signed)
    findings = Array(repeating: .excluded, count: account.purchases.count)
    for chain in chains { read(chain) }
  }

  // MARK: - Chains

  private mutating func read(_ chain: [Int]) {
    var held: KnownPrice?
    var former: KnownPrice?
    var previous: Int?
    for index in chain {
      let row = account.purchases[index]
      if let last = previous.map({ account.purchases[$0] }) {
        if last.run != row.run {
          let isRead = isSeenLeaving(from: last, to: row) || last.product != row.product
          former = isRead ? nil : held
          held = nil
        } else if last.product != row.product {
          held = nil
        } else if row.purchasedAt > last.end(), isSeenLeaving(from: last, to: row) {
          held?.isInDoubt = true
        }
      }
      if row.isPromoCode {
        findings[index] = .promoCode
      } else if row.kind == .regular {
        findings[index] = regular(index, &held, former: former)
        former = nil
      } else {
        findings[index] = other(index, after: previous)
      }
      previous = index
    }
  }

  /// Whether the exports show that the subscription had ended before a row.
  private func isSeenLeaving(from last: AccountPurchase, to row: AccountPurchase) -> Bool {
    let gap = row.purchasedAt - last.end()
    if gap > 60 * BillingClock.day || row.kind == .promo || row.kind == .offerCode { return true }
    let newest = account.looks.filter { $0 < row.purchasedAt }.max()
    let state = newest.flatMap { account.state(of: row.originalID, at: $0) }
    return state.map { !$0.willRenew } ?? false
  }
}
