public import CivilTime

/// What Apple says about the next year of a commitment plan, in a renewal state.
public struct NextCommitment: Hashable, BitwiseCopyable, Sendable {
  /// `commitmentAutoRenewStatus`: whether the customer commits to another year; `nil` if absent.
  ///
  /// If not, the instalments of the current year are still charged.
  public var autoRenewStatus: Bool?
  /// `commitmentRenewalDate`: the day on which the next year would begin.
  public var renewsAt: Instant?
  /// `commitmentRenewalPrice`: the price of the next year; a forecast, which nobody has paid.
  public var price: SignedPrice?
  /// `renewalBillingPlanType`: how the next charge would be paid.
  public var billingPlan: BillingPlan?

  /// Creates the absence of all fields.
  public init() {}
}
