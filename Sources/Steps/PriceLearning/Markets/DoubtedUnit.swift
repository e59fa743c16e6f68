public import Amounts
public import CivilTime
public import PurchaseModel

/// A storefront whose prices changed by a factor of 10, 100 or 1,000 without a reason in the
/// catalogue.
///
/// Either the currency was rebased, or a version of the app sends another unit; reports cannot show
/// which. So from then on neither reports nor earlier prices decide an amount in the storefront.
/// Example: all reports from Hungary show 1,290 HUF until March, and 12.90 HUF later.
public struct DoubtedUnit: Hashable, BitwiseCopyable, Sendable {
  /// The storefront of the prices.
  public var storefront: Storefront
  /// The currency; its code did not change.
  public var currency: Currency
  /// Midnight UTC before the first report in the new unit.
  public var from: Instant
  /// The number of old units per new unit.
  public var factor: RebasingFactor

  /// Creates a doubted unit from its fields.
  public init(
    storefront: Storefront, currency: Currency, from: Instant, factor: RebasingFactor
  ) {
    self.storefront = storefront
    self.currency = currency
    self.from = from
    self.factor = factor
  }

  /// Returns true if the unit is doubtful for a purchase.
  ///
  /// If the purchase's storefront is unknown, it may be this storefront, so the unit is doubtful
  /// too.
  public func concerns(_ place: Storefront?, _ currency: Currency, at time: Instant) -> Bool {
    self.currency == currency && from <= time && place.map { $0 == storefront } ?? true
  }
}
