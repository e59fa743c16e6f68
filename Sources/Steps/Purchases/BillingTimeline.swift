public import CivilTime
public import PurchaseModel

/// The kind of a row: a trial, an offer, the regular price, or a one-time purchase.
public enum PeriodKind: String, Hashable, Sendable, CaseIterable {
  /// A free introductory period.
  case trial
  /// A paid introductory period.
  case intro
  /// A promotional or win-back offer, free or paid.
  case promo
  /// An offer redeemed with a code, free or paid.
  case offerCode = "offer_code"
  /// A subscription period at the regular price.
  case regular
  /// A purchase of a product that does not renew.
  case oneTime = "one_time"

  /// Whether the row belongs to an offer; introductory offers are included.
  public var isOffer: Bool { self != .regular && self != .oneTime }
}

/// The kind of a ``Reversal``: a refund or an upgrade.
public enum ReversalKind: String, Hashable, Sendable, CaseIterable {
  /// A refund of the whole amount, or a revocation of access.
  case refund
  /// An upgrade: a better plan replaced the row, and the unused time was refunded.
  case upgrade
}

/// A refund or an upgrade of a purchase.
public struct Reversal: Hashable, Sendable {
  /// The kind of reversal.
  public var kind: ReversalKind
  /// The time of the refund or upgrade, UTC; it may be before the purchase or after its expiry.
  public var at: Instant
}

/// The place of one revenue row in its chain: its kind, paid period, offer, gap, spell, reversal.
public struct BillingTimeline: Hashable, Sendable {
  /// The kind of the row.
  public var kind: PeriodKind
  /// The offer's id: `offer_code_ref_name`, else `promotional_offer_id`; `nil` without an offer.
  public var offerID: OfferID?
  /// The length of the period that the row covers, with an extension; `nil` without an expiry.
  public var coveredPeriod: Period?
  /// The instalment that the row pays; `nil` if the row pays for a whole period.
  public var instalment: Instalment?
  /// Whether there is a lapse between the previous row of the chain and this row.
  public var followsLapse: Bool
  /// Whether the row starts after a gap that is not a lapse, such as a late payment.
  public var isBillingRecovery: Bool
  /// The time between the latest end of the chain's earlier rows and the start of this row.
  ///
  /// `nil` without a gap.
  public var gap: Milliseconds?
  /// The number of the row's spell in its chain, from 1; `nil` for one-time rows.
  public var spellNumber: Int32?
  /// The number of the row among the regular rows of its spell, from 1; `nil` for other kinds of
  /// rows.
  public var renewalNumber: Int32?
  /// The position of the row's offer period in ``BillingTimelines/offerPeriods``.
  ///
  /// `nil` if the row has no offer.
  public var offerPeriod: Int?
  /// The reversal of the row; `nil` if there is none.
  public var reversal: Reversal?
  /// The time until which the row gives access, UTC; see ``BillingTimelines/setAccessEnds(of:_:)``.
  public var accessEndsAt = Instant.distantFuture
}

/// Consecutive rows of one chain under one offer.
public struct OfferPeriod: Hashable, Sendable {
  /// The position of the chain in ``PurchaseHistory/chains``.
  public var chain: ChainPosition
  /// The positions of the rows in ``PurchaseHistory/purchases``: consecutive, sorted by purchase
  /// time.
  public var rows: Range<Int>
  /// The kind of all rows of the offer period.
  public var kind: PeriodKind
  /// The offer of all rows of the offer period.
  public var offerID: OfferID?
}

/// The billing timelines of all revenue rows, their offer periods, and the periods of products.
public struct BillingTimelines: Sendable {
  /// The timeline of each revenue row; indices are the rows' positions in the history.
  public var rows: [BillingTimeline] = []
  /// The offer periods, sorted by first row.
  public var offerPeriods: [OfferPeriod] = []
  /// The usual length of each product's billing period.
  ///
  /// See ``ProductFacts/periods(catalogue:)``.
  public var productPeriods: [ProductID: Period] = [:]
  /// The products of which it is unclear whether a row of a month is a whole period.
  public var unclearPeriods: Set<ProductID> = []

  /// Creates an empty set of timelines.
  public init() {}
}

extension BillingTimeline {
  /// The longest free extension of a period in hours: 90 days (App Store Server API), and some
  /// hours of two clocks.
  private static let longestExtension: Int64 = 95 * 24

  /// The length of the period that the row pays for, which an extension does not change.
  ///
  /// - Parameter usual: The period of the product.
  public func paidPeriod(usual: Period?) -> Period? {
    guard kind == .regular, let covered = coveredPeriod, let usual, usual < covered,
      covered.nominalHours - usual.nominalHours <= Self.longestExtension
    else { return coveredPeriod }
    return usual
  }
}
