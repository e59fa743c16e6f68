public import Amounts
public import PurchaseModel

/// The storefronts with a price list of their own, keyed by currency.
///
/// Since December 2022 storefronts with the same currency may have different prices. Example: 10.99
/// EUR in France and 9.99 in all other storefronts → `FRA` has its own list in EUR, and its own
/// series for every product.
public struct StorefrontPriceLists: Hashable, Sendable {
  private var apart: [Currency: [Storefront]] = [:]
  /// The storefronts with separate prices or price changes in the catalogue, keyed by currency;
  /// fetched prices are not included.
  private var listed: [Currency: Set<Storefront>] = [:]

  /// Creates a set in which no storefront has its own list.
  public init() {}

  /// Adds a storefront whose own price list is known from reports or the catalogue.
  mutating func insert(_ storefront: Storefront, in currency: Currency, isListed: Bool = false) {
    if isListed { listed[currency, default: []].insert(storefront) }
    var known = apart[currency] ?? []
    guard !known.contains(storefront) else { return }
    known.append(storefront)
    apart[currency] = known.sorted()
  }

  /// All storefronts with their own list, sorted by currency, then storefront.
  public var all: [SeparateStorefront] {
    apart.flatMap { currency, storefronts in
      storefronts.map {
        SeparateStorefront(
          currency: currency, storefront: $0,
          isListed: listed[currency]?.contains($0) ?? false)
      }
    }.sorted { ($0.currency, $0.storefront) < ($1.currency, $1.storefront) }
  }

  /// The storefronts with their own list in a currency, alphabetically.
  public subscript(currency: Currency) -> [Storefront] { apart[currency] ?? [] }

  /// Returns true if the price list of a storefront is known only from reports, not from the
  /// catalogue.
  func isByReports(_ storefront: Storefront, in currency: Currency) -> Bool {
    self[currency].contains(storefront) && !(listed[currency]?.contains(storefront) ?? false)
  }

  /// The price lists that may apply in a storefront, named by their storefronts.
  ///
  /// The element `nil` is the common list of all storefronts without a list of their own.
  /// There is a single list if the storefront is known, or if no storefront of the currency has its
  /// own list. Otherwise all lists of the currency may apply.
  public func lists(for place: Storefront?, in currency: Currency) -> [Storefront?] {
    let known = self[currency]
    guard let place else { return [nil] + known }
    return [known.contains(place) ? place : nil]
  }

  /// The price list of a storefront; `nil` if several of ``lists(for:in:)`` may apply.
  func list(for place: Storefront?, in currency: Currency) -> PriceListName? {
    let lists = lists(for: place, in: currency)
    return lists.count == 1 ? PriceListName(storefront: lists[0]) : nil
  }
}

/// A price list of a currency: that of one storefront, or the common list of the other storefronts.
struct PriceListName: Hashable, Sendable {
  var storefront: Storefront?
}

/// A storefront with its own price list in a currency.
public struct SeparateStorefront: Hashable, BitwiseCopyable, Sendable {
  /// The currency of the list.
  public var currency: Currency
  /// The storefront of the list.
  public var storefront: Storefront
  /// Whether the catalogue has separate prices or price changes for the storefront; fetched prices
  /// are not included.
  public var isListed: Bool
}
