public import CivilTime
public import PurchaseModel

/// The length of an offer in a report: `3 × P1M`.
public struct OfferLength: Hashable, BitwiseCopyable, Sendable {
  /// The number of periods; `nil` if the report lacks it.
  public var numberOfPeriods: Int32?
  /// The length of one period; `nil` if the report lacks it.
  public var period: Period?

  /// Creates a length from its fields.
  public init(numberOfPeriods: Int32?, period: Period?) {
    self.numberOfPeriods = numberOfPeriods
    self.period = period
  }

  /// The length of an instalment: its number of payments, and the length of one; empty without one.
  init(_ instalment: Instalment?) {
    self.init(numberOfPeriods: instalment?.count, period: instalment?.length)
  }

  /// The length as text: `3xP1M`, `xP1M`, `3x`; empty if number and period are unknown.
  public var text: String {
    guard numberOfPeriods != nil || period != nil else { return "" }
    return "\(numberOfPeriods.map(String.init) ?? "")x\(period?.text ?? "")"
  }

  fileprivate var order: (Int32, Int64, Int32) {
    (numberOfPeriods ?? 0, period?.nominalHours ?? 0, period?.count ?? 0)
  }
}

/// The kind of price in a series: regular, introductory or of an offer.
public enum SeriesKind: Hashable, BitwiseCopyable, Sendable {
  /// The regular price of the product.
  case regular
  /// The introductory price with a payment mode and a length.
  case introductory(PaymentMode, OfferLength)
  /// The price of a promotional offer or offer code.
  case offer(OfferID)
}

/// One price of a market over time.
///
/// Examples: the regular price of `pro.monthly` in EUR in all storefronts without their own price
/// list; the introductory price in France, paid up front for three months.
public struct SeriesKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The product and currency.
  public var market: MarketIndex
  /// The kind of price: regular, introductory or of one offer.
  public var kind: SeriesKind
  /// The storefront of the price; `nil` for the common list of all storefronts without their own
  /// list.
  ///
  /// The series of an introductory price has a storefront even without a separate price list. For
  /// such a series `nil` means that the storefront is unknown.
  public var storefront: Storefront?

  /// Creates the key of a series.
  public init(_ market: MarketIndex, _ kind: SeriesKind, in storefront: Storefront?) {
    self.market = market
    self.kind = kind
    self.storefront = storefront
  }

  /// Orders keys by market, kind, offer, storefront, payment mode and length.
  public static func < (left: Self, right: Self) -> Bool {
    if left.market != right.market { return left.market < right.market }
    if left.kindOrder != right.kindOrder { return left.kindOrder < right.kindOrder }
    if left.storefront != right.storefront {
      return left.storefront?.rawValue ?? 0 < right.storefront?.rawValue ?? 0
    }
    guard case .introductory(let mode, let length) = left.kind,
      case .introductory(let otherMode, let otherLength) = right.kind
    else { return false }
    return mode == otherMode ? length.order < otherLength.order : mode < otherMode
  }

  /// Sort key: regular, then introductory, then offers by id.
  private var kindOrder: (UInt8, UInt32) {
    switch kind {
    case .regular: (0, 0)
    case .introductory: (1, 0)
    case .offer(let offer): (2, offer.symbol.rawValue)
    }
  }
}
