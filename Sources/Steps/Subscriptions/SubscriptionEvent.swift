public import CivilTime
public import PurchaseModel
public import Purchases

/// One event of a subscription's history: a row of `fct_subscription_event`.
///
/// Exactly one event begins each period. Example: a trial of a week from May 1, then a month that
/// the customer lets end → `trial_started` on May 1, `converted` on May 8, `lapsed` on June 8.
public struct SubscriptionEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A free trial began.
    case trialStarted = "trial_started"
    /// The subscription began, not with a free trial.
    case new
    /// The first paid period after a free trial began.
    case converted
    /// The next period of the same product began.
    case renewed
    /// The next period began late, because Apple collected its payment late.
    case recovered
    /// The subscription began again after a lapse.
    case reactivated
    /// A period of a better plan ended the period before it.
    case upgraded
    /// A period of another product of the same length began.
    case downgraded
    /// A period of another product of another length began.
    case crossgraded
    /// Apple refunded the period; a period that cost nothing was revoked.
    case reversed
    /// The subscription ended.
    case lapsed
    /// A period ended, and the next one began later, or Apple still tries to charge.
    case interrupted
    /// A period ended, and no snapshot shows whether another one followed.
    case notSeen = "not_seen"
    /// The customer turned off auto-renewal.
    case cancelled
    /// The subscription goes on under another product, app or storefront: an event of the period
    /// that it leaves, and one of the period that it comes to.
    case moved
  }

  /// The period that the event belongs to, as a position in the purchase history.
  public var row: RowPosition
  /// What happened.
  public var kind: Kind
  /// The time of the event, UTC.
  public var at: Instant
  /// Whether the event begins the period.
  public var isBeginning: Bool
  /// The product of the period before; `nil` for the same product, and for the first period.
  public var formerProductID: ProductID?
  /// 1 if the subscription began to run for the product, app and storefront of the period; -1 if it
  /// ended to; else 0.
  ///
  /// The sum through a day is the number of subscriptions that run at its end.
  public var runningChange: Int
}
