public import PurchaseModel
public import Purchases

/// The reason why a customer may have an introductory offer in a subscription group or not.
public enum IntroReason: String, Hashable, Sendable, CaseIterable {
  /// Nothing speaks against it.
  case eligible
  /// A free trial was used in the group.
  case usedTrial = "used_trial"
  /// A paid introductory offer was used in the group.
  case usedIntro = "used_intro"
  /// A subscription of the group is active.
  case active
  /// A subscription of the group is in a billing grace period: not decided.
  case inGracePeriod = "in_grace_period"
  /// A row of the group was refunded.
  case refunded

  /// Whether the offer may be shown; `nil` if that is not decided.
  public var isEligible: Bool? {
    switch self {
    case .eligible: true
    case .inGracePeriod: nil
    case .usedTrial, .usedIntro, .active, .refunded: false
    }
  }
}

/// The offers that one customer may have in one group: a row of `dim_offer_eligibility`.
public struct OfferEligibility: Hashable, Sendable {
  /// The customer.
  public var customer: CustomerID
  /// The subscription group.
  public var subscriptionGroupID: SubscriptionGroupID
  /// The reason why an introductory offer may be shown or not.
  public var introReason: IntroReason
  /// Whether a promotional offer may be shown: the customer has or had a subscription there.
  public var isPromoEligible: Bool

  /// Whether an introductory offer may be shown; `nil` if that is not decided.
  public var isIntroEligible: Bool? { introReason.isEligible }
}

/// Decides which offers each customer may have in each group.
///
/// Only chains whose customer and group are both known take part; sandbox and family-shared
/// purchases belong to no chain. Reasons that exclude an offer for ever precede passing ones: used,
/// then active, then refunded, then a grace period. For example a customer with a trial in the
/// group → `used_trial`.
///
/// - Parameters:
///   - book: All purchases, revenue rows first.
///   - timelines: The place of each revenue row in its chain.
///   - subscriptions: The subscriptions as of the moment that is asked about.
/// - Returns: One row for each customer and group, by customer, then group.
public func offerEligibility(
  book: PurchaseBook, timelines: BillingTimelines, subscriptions: [Subscription]
) -> [OfferEligibility] {
  var chains: [OfferEligibility] = []
  chains.reserveCapacity(subscriptions.count)
  for subscription in subscriptions {
    let chain = book.chains[subscription.chain.index]
    guard let customer = chain.customer, let group = subscription.subscriptionGroupID else {
      continue
    }
    chains.append(
      OfferEligibility(
        customer: customer, subscriptionGroupID: group,
        introReason: introReason(rows: timelines.rows[chain.rows], status: subscription.status),
        isPromoEligible: true))
  }
  chains.sort {
    ($0.customer, $0.subscriptionGroupID, precedence($0.introReason))
      < ($1.customer, $1.subscriptionGroupID, precedence($1.introReason))
  }
  var result: [OfferEligibility] = []
  for chain in chains {
    if let last = result.last, last.customer == chain.customer,
      last.subscriptionGroupID == chain.subscriptionGroupID
    {
      continue
    }
    result.append(chain)
  }
  return result
}

/// The reason that one chain gives for introductory offers in its group.
private func introReason(rows: ArraySlice<BillingTimeline>, status: SubscriptionStatus)
  -> IntroReason
{
  if rows.contains(where: { $0.kind == .trial }) { return .usedTrial }
  if rows.contains(where: { $0.kind == .intro }) { return .usedIntro }
  switch status {
  case .trial, .intro, .promo, .active: return .active
  case .grace, .billingRetry, .expired, .revoked: break
  }
  if rows.contains(where: { $0.reversal?.kind == .refund }) { return .refunded }
  return status == .grace ? .inGracePeriod : .eligible
}

/// The precedence of a reason: of several chains in one group the smallest number is used.
private func precedence(_ reason: IntroReason) -> Int {
  switch reason {
  case .usedTrial: 0
  case .usedIntro: 1
  case .active: 2
  case .refunded: 3
  case .inGracePeriod: 4
  case .eligible: 5
  }
}
