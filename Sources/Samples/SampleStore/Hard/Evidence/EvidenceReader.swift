internal import CivilTime

/// Decides which amounts of one account the exports determine.
///
/// The reader uses Apple's rules, the catalogue, every record and report, and the knowledge which
/// reports are true. It does not use the charges. An amount is **determined** ("resolvable") if one
/// of these cases holds:
/// 1. The row's flags make it free.
/// 2. A true report has the purchase's transaction id and a price of its kind, and is not
/// outnumbered.
/// 3. An earlier charge of the same offer is determined.
/// 4. The price is the same in every storefront in which the row may have been bought
/// (``PlaceReader``), and reports show it at that time (``TrueReportEvidence``). For subscriptions,
/// this case applies only to the first regular row of a plan, and to the first row after a visible
/// lapse in the exports.
/// 5. The catalogue has the offer's price in the currency of each of these storefronts.
/// 6. An earlier regular row is determined, reports show the price list at the time of this row,
/// and the effect of each change between the two is known: a cut applies to all subscribers, a rise
/// has the effect in the catalogue, or a response shows a consent. A price that fell and returned
/// between two charges has no effect, unless the catalogue states another effect.
///
/// Each amount has the case that holds, or the missing evidence. If all exports support another
/// amount, the row is ``Finding/misled`` and not determined. This code uses no code of the
/// pipeline, which must itself find out which reports are true.
struct EvidenceReader {
  let world: World
  let trueReports: TrueReportEvidence
  let account: Account
  let place: PlaceReader
  private(set) var findings: [Finding]

  /// Prepares to read the rows of an account that are in any response.
  ///
  /// Each chain is sorted by time.
  init(_ world: World, _ trueReports: TrueReportEvidence, _ account: Account, chains: [[Int]]) {
    self.world = world
    self.trueReports = trueReports
    self.account = account
    place = PlaceReader(world: world, account: account, households: trueReports.households)
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
    let newest = account.uploads.filter { $0.at < row.purchasedAt }.map(\.at).max()
    let state = newest.flatMap { account.state(of: row.originalID, at: $0) }
    return state.map { !$0.willRenew } ?? false
  }
}
