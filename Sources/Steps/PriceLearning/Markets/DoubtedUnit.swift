public import Amounts
public import CivilTime
public import PurchaseModel

/// A storefront whose prices became 10, 100 or 1,000 times as high or as low, without an entry of
/// the catalogue for it.
///
/// The currency may have been rebased, or an app version sends another unit: reports look alike. So
/// no report and no earlier price decides an amount there from then on. For example all reports
/// from Hungary show 1,290 HUF until March, and 12.90 HUF later.
public struct DoubtedUnit: Hashable, BitwiseCopyable, Sendable {
  /// The storefront in whose prices it shows.
  public var storefront: Storefront
  /// The currency, whose code did not change.
  public var currency: Currency
  /// The midnight, UTC, before the first report in the other unit.
  public var from: Instant
  /// The number of old units in a new unit.
  public var factor: RebasingFactor

  /// Creates a doubt of its parts.
  public init(
    storefront: Storefront, currency: Currency, from: Instant, factor: RebasingFactor
  ) {
    self.storefront = storefront
    self.currency = currency
    self.from = from
    self.factor = factor
  }

  /// Whether it concerns a purchase; an unknown storefront may be this storefront.
  public func concerns(_ place: Storefront?, _ currency: Currency, at time: Instant) -> Bool {
    self.currency == currency && from <= time && place.map { $0 == storefront } ?? true
  }
}
