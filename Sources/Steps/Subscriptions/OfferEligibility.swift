public import PurchaseModel
public import Purchases

/// The reason why a customer is or is not eligible for a group's introductory offers.
public enum IntroReason: String, Hashable, Sendable, CaseIterable {
  /// The customer never used an introductory offer in the group, and has no active subscription of
  /// the group.
  case eligible
  /// A free trial was used in the group.
  case usedTrial = "used_trial"
  /// A paid introductory offer was used in the group.
  case usedIntro = "used_intro"
  /// The customer has an active subscription of the group.
  case active
  /// A subscription of the group is in a billing grace period: eligibility is undecided.
  case inGracePeriod = "in_grace_period"
  /// A purchase of the group was refunded.
  case refunded

  /// Whether the customer is eligible; `nil` if undecided.
  public var isEligible: Bool? {
    switch self {
    case .eligible: true
    case .inGracePeriod: nil
    case .usedTrial, .usedIntro, .active, .refunded: false
    }
  }
}

/// One customer's eligibility for offers in one group: a row of `dim_offer_eligibility`.
public struct OfferEligibility: Hashable, Sendable {
  /// The customer of the row.
  public var customer: CustomerID
  /// The subscription group of the row.
  public var subscriptionGroupID: SubscriptionGroupID
  /// The reason why the customer is or is not eligible for an introductory offer.
  public var introReason: IntroReason
  /// Whether the customer is eligible for a promotional offer.
  ///
  /// True for every customer who has or had a subscription in the group.
  public var isPromoEligible: Bool

  /// Whether the customer is eligible for an introductory offer; `nil` if undecided.
  public var isIntroEligible: Bool? { introReason.isEligible }
}

/// Decides for which offers each customer is eligible, in each subscription group.
///
/// Only chains with a known customer and subscription group are used, and none of an account whose
/// receipt was passed on; sandbox purchases and
/// family-shared purchases are ignored. If several reasons apply, the first in this order is used:
/// `used_trial`, `used_intro`, `active`, `refunded`, `in_grace_period`. Example: a customer with a
/// trial in the group → `used_trial`.
///
/// - Parameters:
///   - book: All purchases, revenue rows first.
/// - Returns: One row per customer and group, sorted by customer, then group.
public func offerEligibility(
  book: PurchaseHistory, timelines: BillingTimelines, subscriptions: [Subscription]
) -> [OfferEligibility] {
  var chains: [OfferEligibility] = []
  chains.reserveCapacity(subscriptions.count)
  for subscription in subscriptions {
    let chain = book.chains[subscription.chain.index]
    guard let customer = chain.customer, !chain.isPassedOn,
      let group = subscription.subscriptionGroupID
    else { continue }
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

/// Finds the reason for or against eligibility in one chain of the group.
private func introReason(rows: ArraySlice<BillingTimeline>, status: SubscriptionStatus)
  -> IntroReason
{
  if rows.contains(where: { $0.kind == .trial }) { return .usedTrial }
  if rows.contains(where: { $0.kind == .intro }) { return .usedIntro }
  switch status {
  case .trial, .intro, .promo, .active: return .active
  case .grace, .billingRetry, .notSeen, .expired, .revoked: break
  }
  if rows.contains(where: { $0.reversal?.kind == .refund }) { return .refunded }
  return status == .grace ? .inGracePeriod : .eligible
}

/// The priority of a reason, from 0 (highest).
///
/// If the chains of a group have different reasons, the reason with the smallest number is used.
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
