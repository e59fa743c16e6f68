public import CivilTime

/// Evidence of a late payment: Apple charged after the date in the receipt.
///
/// Apple may charge late in a grace period or in billing retry.
public enum LatePayment {
  /// The longest grace period, in days.
  public static let longestGrace: Int64 = 16

  /// A snapshot that indicates a late payment of a chain.
  public struct Sign: Hashable, Sendable {
    /// The time of the snapshot; if consecutive snapshots show the same renewal state, the time of
    /// the first.
    public var at: Instant
    /// Whether the chain was in billing retry: Apple still tried to charge.
    public var isRetry: Bool
    /// The end of the grace period; `nil` outside of a grace period.
    public var graceUntil: Instant?

    /// Creates a sign from its fields.
    public init(at: Instant, isRetry: Bool, graceUntil: Instant?) {
      self.at = at
      self.isRetry = isRetry
      self.graceUntil = graceUntil
    }
  }

  /// Returns the number of Pacific days from the purchase date to a snapshot that shows the
  /// purchase.
  ///
  /// What a snapshot shows has been charged, so Apple charged no later.
  public static func daysToCharge(purchasedAt: Instant, firstSeenAt: Instant) -> Int64 {
    CivilDay(pacific: firstSeenAt).daysSinceEpoch - CivilDay(pacific: purchasedAt).daysSinceEpoch
  }

  /// Returns the number of days by which Apple's charge may be later than the purchase date.
  ///
  /// Example: a row of May 3, in a chain that was in billing retry on May 10 → 60; if a snapshot of
  /// May 12 shows the row → 9.
  ///
  /// - Parameters:
  ///   - isOnPlan: Whether the row is a payment of a commitment plan, for which Apple tries longer.
  ///   - isRecovery: Whether the row begins after a gap that is not a lapse.
  ///   - firstSeenAt: The earliest snapshot that shows the row, if known.
  /// - Returns: The number of days, at least 2; `nil` without evidence of a late payment.
  public static func days(
    purchasedAt: Instant, firstSeenAt: Instant?, isOnPlan: Bool, isRecovery: Bool,
    signs: some Sequence<Sign>
  ) -> Int64? {
    let limit = firstSeenAt.map { daysToCharge(purchasedAt: purchasedAt, firstSeenAt: $0) }
    // A charge of the day or the day after it is not late.
    if let limit, limit < 2 { return nil }
    let reach = CommitmentPlan.retryWindow(isOnPlan: isOnPlan)
    let longestRetry = reach.wholeDays
    var days: Int64? = isRecovery ? longestRetry : nil
    for sign in signs
    where [sign.at, sign.graceUntil ?? sign.at].contains(where: {
      abs($0.since(purchasedAt).rawValue) <= reach.rawValue
    }) {
      days = max(days ?? 0, sign.isRetry ? longestRetry : longestGrace)
    }
    return days.map { min($0, limit ?? $0) }
  }
}

extension PurchaseHistory {
  /// Returns the number of days by which the charge of a revenue row may be later than its date.
  ///
  /// `nil` for a row without evidence of a late payment.
  public func latePaymentDays(ofRow row: Int, in chain: Chain, _ timeline: BillingTimeline)
    -> Int64?
  {
    guard purchases[row].isSubscription else { return nil }
    return LatePayment.days(
      purchasedAt: purchases[row].purchasedAt, firstSeenAt: purchases[row].firstSeenAt,
      isOnPlan: CommitmentPlan.contains(purchases[row], timeline.instalment),
      isRecovery: timeline.isBillingRecovery,
      signs: renewalStates[chain.renewalStates].lazy.compactMap(\.latePayment))
  }
}

extension RenewalState {
  /// The evidence of a late payment in this renewal state; `nil` if there is none.
  var latePayment: LatePayment.Sign? {
    guard isInBillingRetry == true || gracePeriodExpiresAt != nil else { return nil }
    return LatePayment.Sign(
      at: observedAt, isRetry: isInBillingRetry == true, graceUntil: gracePeriodExpiresAt)
  }
}
