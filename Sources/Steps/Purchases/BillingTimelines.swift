internal import CivilTime
public import PurchaseModel

/// Determines the billing timeline of every revenue row.
///
/// Example: a trial in April, then regular rows of May and June: kinds `trial`, `regular`,
/// `regular`, without a lapse.
///
/// - Parameters:
///   - catalogue: The offer codes and the lengths of products' periods, if the owner states them.
///   - facts: The facts about products from the rows of all households; by default only from the
///     rows of `book`.
public func timelines(
  of book: PurchaseHistory, catalogue: Catalogue, facts: ProductFacts? = nil
) -> BillingTimelines {
  var timelines = BillingTimelines()
  timelines.rows.reserveCapacity(book.revenueCount)
  let facts = facts ?? ProductFacts(book, catalogue: catalogue)
  timelines.productPeriods = facts.periods(catalogue: catalogue)
  timelines.unclearPeriods = facts.unclearPeriods(catalogue: catalogue)
  for number in book.chains.indices {
    let chain = book.chains[number]
    var timeline = ChainTimeline(chain: ChainPosition(number))
    let purchases = book.purchases[chain.rows]
    for position in purchases.indices {
      let row = purchases[position]
      timelines.rows.append(
        timeline.next(
          row, at: position, of: chain, in: book, kind: row.kind(in: catalogue),
          reversal: reversal(ofRow: position, in: purchases),
          productPeriod: timelines.productPeriods[row.productID],
          periods: &timelines.offerPeriods))
    }
    timelines.setAccessEnds(of: chain, book)
  }
  return timelines
}

/// The longest gap that is never a lapse: one day, because a renewal may be hours late.
private let longestDelay = Milliseconds.days(1)

/// The longest gap between two rows of one offer period: 16 days.
let longestGapInOffer = Milliseconds.days(16)

/// The timeline of one chain, computed row by row in the order of the chain.
private struct ChainTimeline {
  private let chain: ChainPosition
  /// The latest end of the subscription rows processed so far.
  private var coveredUntil: Instant?
  /// The time of the latest row's refund; `nil` without one.
  private var refundedAt: Instant?
  /// The latest end of the current offer period's rows processed so far.
  private var offerCoveredUntil = Instant.distantPast
  private var spell: Int32 = 0
  private var renewal: Int32 = 0
  /// Whether the latest row is a payment of a commitment plan.
  private var isOnPlan = false
  private var runningOffer: (period: Int, kind: PeriodKind, offerID: OfferID?)?

  init(chain: ChainPosition) {
    self.chain = chain
  }

  /// Determines the timeline of the next row.
  mutating func next(
    _ row: Purchase, at position: Int, of chain: Chain, in book: PurchaseHistory, kind: PeriodKind,
    reversal: Reversal?, productPeriod: Period?, periods: inout [OfferPeriod]
  ) -> BillingTimeline {
    var timeline = BillingTimeline(
      kind: kind, offerID: kind.isOffer ? row.offerID : nil,
      coveredPeriod: coveredPeriod(of: row, kind: kind),
      instalment: instalment(of: row, kind: kind, period: productPeriod), followsLapse: false,
      isBillingRecovery: false, gap: nil, spellNumber: nil, renewalNumber: nil, offerPeriod: nil,
      reversal: reversal)
    guard row.isSubscription else {
      runningOffer = nil
      return timeline
    }

    if let gap = coveredUntil.map({ row.purchasedAt.since($0) }), gap > Milliseconds(0) {
      timeline.gap = gap
      timeline.followsLapse = hasLapsed(
        before: row, kind: kind, isFirstOfOffer: runningOffer?.kind != kind, gap: gap,
        longestGap: CommitmentPlan.retryWindow(isOnPlan: isOnPlan), of: chain, in: book)
      timeline.isBillingRecovery = !timeline.followsLapse
    }
    // A renewal begins where the paid time ends, also after a refund.
    if let end = coveredUntil, let refundedAt, row.purchasedAt.since(refundedAt) > longestDelay,
      end.since(row.purchasedAt) > longestDelay
    {
      timeline.followsLapse = true
    }
    if spell == 0 || timeline.followsLapse {
      spell += 1
      renewal = 0
    }
    timeline.spellNumber = spell
    if kind == .regular {
      renewal += 1
      timeline.renewalNumber = renewal
    }
    refundedAt = reversal.flatMap { $0.kind == .upgrade ? nil : $0.at }
    let end = coverageEnd(of: row, reversal: reversal)
    coveredUntil = max(coveredUntil ?? end, end)
    isOnPlan = CommitmentPlan.contains(row, timeline.instalment)
    timeline.offerPeriod = offerPeriod(
      of: row, at: position, kind: kind, end: end, periods: &periods)
    return timeline
  }

  /// Returns the position of a row's offer period; `nil` for a row without an offer.
  ///
  /// Adds the row to the current offer period, or starts a new offer period.
  private mutating func offerPeriod(
    of row: Purchase, at position: Int, kind: PeriodKind, end: Instant,
    periods: inout [OfferPeriod]
  ) -> Int? {
    guard kind.isOffer else {
      runningOffer = nil
      return nil
    }
    if let running = runningOffer, running.kind == kind, running.offerID == row.offerID,
      row.purchasedAt.since(offerCoveredUntil) <= longestGapInOffer
    {
      let rows = periods[running.period].rows
      periods[running.period].rows = rows.lowerBound..<position + 1
      offerCoveredUntil = max(offerCoveredUntil, end)
      return running.period
    }
    runningOffer = (periods.count, kind, row.offerID)
    offerCoveredUntil = end
    periods.append(
      OfferPeriod(
        chain: chain, rows: position..<position + 1, kind: kind, offerID: row.offerID))
    return periods.count - 1
  }
}

/// Returns true if a gap before a row is a lapse.
///
/// A gap of more than `longestGap` is a lapse: the time for which Apple tries to collect a payment,
/// 60 days or 90 on a commitment plan. So is any gap before a row that Apple calls a purchase.
/// A gap of more than a day is a lapse if the row has a promotional offer or an offer code, or
/// begins an introductory offer, because a late payment begins none, or if auto-renewal was turned
/// off before the row.
private func hasLapsed(
  before row: Purchase, kind: PeriodKind, isFirstOfOffer: Bool, gap: Milliseconds,
  longestGap: Milliseconds, of chain: Chain, in book: PurchaseHistory
) -> Bool {
  if gap > longestGap || row.signed?.isBoughtAgain == true { return true }
  guard gap > longestDelay else { return false }
  if kind == .promo || kind == .offerCode { return true }
  if kind == .trial || kind == .intro, isFirstOfOffer { return true }
  return book.newestRenewalState(of: chain, before: row.purchasedAt)?.autoRenewStatus == false
}

/// The end of a row's period; for an upgraded row, the time of the upgrade.
///
/// A yearly plan that was replaced by a monthly plan in May ends in May, regardless of its expiry.
/// A refunded row keeps its expiry, because the subscription's next renewal still begins at this
/// expiry.
private func coverageEnd(of row: Purchase, reversal: Reversal?) -> Instant {
  guard let reversal, reversal.kind == .upgrade else { return row.endsAt }
  return min(row.endsAt, max(row.purchasedAt, reversal.at))
}

/// The length of the period that a row pays for, rounded to the nearest length on sale.
///
/// `nil` if the row has no expiry after the purchase time. Example: May 1 to May 31 → one month.
func coveredPeriod(of row: Purchase, kind: PeriodKind) -> Period? {
  row.expiresAt.flatMap {
    Period.nearest(to: $0.since(row.purchasedAt), allowingMultiples: kind != .regular)
  }
}
