internal import Amounts
public import CivilTime
public import PurchaseModel

/// The part of a price book that the facts depend on.
///
/// It is stored, so that a run can compare it with the new price book.
public struct PublishedPrices: Sendable {
  /// The prices in force, sorted by series, then start.
  public var intervals: [PriceInterval]
  /// The currencies of storefronts, from reports.
  public var currencies: [LearnedCurrency]
  /// The storefronts with a price list of their own.
  public var apart: [SeparateStorefront]
  /// The storefronts in which the unit of prices is in doubt.
  public var doubtedUnits: [DoubtedUnit]

  /// Rebuilds the prices from their stored parts.
  public init(
    intervals: [PriceInterval], currencies: [LearnedCurrency], apart: [SeparateStorefront],
    doubtedUnits: [DoubtedUnit] = []
  ) {
    self.doubtedUnits = doubtedUnits
    self.intervals = intervals
    self.currencies = currencies
    self.apart = apart
  }

  /// Extracts the part of a price book that the facts depend on.
  public init(_ book: PriceBook) {
    self.init(
      intervals: book.history.intervals, currencies: book.currencies.learned, apart: book.apart.all,
      doubtedUnits: book.doubtedUnits)
  }

  /// Returns the products with a price, at any time, that only one of the two versions has.
  ///
  /// The products are returned without their apps.
  public func productsWithOtherPrices(than other: PublishedPrices) -> Set<ProductID> {
    Set(everPaid.symmetricDifference(other.everPaid).map(\.productID.withoutApp))
  }

  /// A price of a product in a currency, at any time.
  private struct Price: Hashable {
    var productID: ProductID
    var currency: Currency
    var price: Milliunits
  }

  private var everPaid: Set<Price> {
    Set(
      intervals.lazy.map {
        Price(productID: $0.productID, currency: $0.currency, price: $0.price)
      })
  }
}

/// The differences between two price books.
///
/// They determine which rows are decided again.
public enum PriceBookChanges: Hashable, Sendable {
  /// All rows may change.
  ///
  /// A storefront now has another currency, price list or doubted unit, or
  /// ``DiscountedIntroductions`` has other offers.
  case everywhere
  /// Only rows of the given products may change, those of each product from its moment on.
  case products([ProductID: Instant])

  /// Compares two price books.
  ///
  /// Example: in the old book, the last report of `pro.monthly` in EUR is of May 9. The new book
  /// also has a report of May 20 with another price. Rows of `pro.monthly` after May 9 are decided
  /// again, because the new price may have been in force already.
  public init(from old: PublishedPrices, to new: PublishedPrices) {
    guard old.currencies == new.currencies, old.apart == new.apart,
      old.doubtedUnits == new.doubtedUnits,
      DiscountedIntroductions(old.intervals) == DiscountedIntroductions(new.intervals)
    else {
      self = .everywhere
      return
    }
    var products: [ProductID: Instant] = [:]
    let (before, after) = (Self.series(old.intervals), Self.series(new.intervals))
    for key in Set(before.keys).union(after.keys) {
      guard let moment = Self.firstDifference(before[key] ?? [], after[key] ?? []) else { continue }
      products[key.productID] = min(products[key.productID] ?? moment, moment)
    }
    self = .products(products)
  }

  /// The key of a series without the number of its market, which differs between price books.
  private struct Series: Hashable {
    var productID: ProductID
    var currency: UInt32
    var kind: SeriesKind
    var storefront: Storefront?
    var instalment: Instalment?
  }

  private static func series(_ intervals: [PriceInterval]) -> [Series: [PriceInterval]] {
    Dictionary(grouping: intervals) {
      Series(
        productID: $0.productID, currency: $0.currency.rawValue, kind: $0.series.kind,
        storefront: $0.series.storefront, instalment: $0.instalment)
    }
  }

  /// The first moment at which two histories of a series differ; `nil` if they are equal.
  private static func firstDifference(_ old: [PriceInterval], _ new: [PriceInterval]) -> Instant? {
    for (left, right) in zip(old, new) {
      guard let moment = firstDifference(left, right) else { continue }
      return moment
    }
    guard old.count != new.count else { return nil }
    let rest = (old.count > new.count ? old : new)[min(old.count, new.count)]
    return rest.from ?? .distantPast
  }

  private static func firstDifference(_ old: PriceInterval, _ new: PriceInterval) -> Instant? {
    guard old.from == new.from, old.price == new.price, old.paymentMode == new.paymentMode,
      old.length == new.length, old.firstReport == new.firstReport, old.isAgreed == new.isAgreed,
      old.firstReportedAt == new.firstReportedAt,
      old.lowestEarlyStray == new.lowestEarlyStray, old.highestEarlyStray == new.highestEarlyStray
    else { return min(old.from ?? .distantPast, new.from ?? .distantPast) }
    let isSameEnd = old.to == new.to && old.endsAtCatalogueDate == new.endsAtCatalogueDate
    // The last report of a price matters only if another price follows, or is reported once.
    let isSameGap =
      old.lastReportedAt == new.lastReportedAt && old.lowestStray == new.lowestStray
      && old.highestStray == new.highestStray
    let isLast = old.to == nil && old.lowestStray == nil && new.lowestStray == nil
    if isSameEnd, isLast || isSameGap { return nil }
    return min(old.lastReportedAt, new.lastReportedAt)
  }
}
