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
  /// Something that does not renew.
  case oneTime = "one_time"

  /// Whether the row belongs to an offer.
  public var isOffer: Bool { self != .regular && self != .oneTime }
}

/// The way in which money came back.
public enum ReversalKind: String, Hashable, Sendable, CaseIterable {
  /// The whole amount was refunded, or access revoked.
  case refund
  /// A better plan replaced the row; the unused share came back.
  case upgrade
}

/// A refund or an upgrade of a purchase.
public struct Reversal: Hashable, Sendable {
  /// The kind of reversal.
  public var kind: ReversalKind
  /// The time; it may precede the purchase or follow its expiry.
  public var at: Instant
}

/// The place of a purchase in its chain: everything about it that needs its neighbours.
public struct BillingTimeline: Hashable, Sendable {
  /// The kind of row.
  public var kind: PeriodKind
  /// The offer's id: `promotional_offer_id`, else `offer_code_ref_name`; `nil` for others.
  public var offerID: OfferID?
  /// The period that the row pays for; `nil` without an expiry.
  public var coveredPeriod: Period?
  /// Whether a lapse lies between the previous row of the chain and this row.
  public var followsLapse: Bool
  /// Whether the row starts after a gap that is not a lapse, such as a late payment.
  public var isBillingRecovery: Bool
  /// The time without coverage before the row; `nil` where there is none.
  public var gap: Milliseconds?
  /// The run of rows without a lapse that the row belongs to, from 1; `nil` for one-time rows.
  public var spellNumber: Int32?
  /// 1 for the first regular row of the spell; `nil` for other kinds.
  public var renewalNumber: Int32?
  /// The row's offer period in ``BillingTimelines/offerPeriods``; `nil` for no offer.
  public var offerPeriod: Int?
  /// The reversal of the row; `nil` if there is none.
  public var reversal: Reversal?
}

/// A run of consecutive rows of one chain under one offer.
///
/// For example three rows at 0.99 a month under one introductory offer, paid as you go.
public struct OfferPeriod: Hashable, Sendable {
  /// The chain in ``PurchaseBook/chains``.
  public var chain: ChainPosition
  /// Its rows in ``PurchaseBook/purchases``: consecutive, in order of purchase time.
  public var rows: Range<Int>
  /// The kind of all of them.
  public var kind: PeriodKind
  /// The offer of all of them.
  public var offerID: OfferID?
}

/// The timelines of all revenue rows.
public struct BillingTimelines: Sendable {
  /// One for each revenue row of the book, at the same position.
  public var rows: [BillingTimeline] = []
  /// The offer periods, by first row.
  public var offerPeriods: [OfferPeriod] = []
  /// The length of each product's period: the catalogue's, else the commonest covered period of
  /// its regular rows (of equally common ones the shorter).
  public var productPeriods: [ProductID: Period] = [:]
  /// The kind of each product seen in a revenue row: the catalogue's, else the one that its rows
  /// show.
  public var productKinds: [ProductID: ProductKind] = [:]

  /// No timelines.
  public init() {}
}
