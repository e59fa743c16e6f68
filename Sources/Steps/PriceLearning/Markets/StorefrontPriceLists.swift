public import Amounts
public import PurchaseModel

/// The storefronts that have a price list of their own, by currency.
///
/// Since December 2022 storefronts that share a currency may have different prices. For example
/// France asks 10.99 EUR and all others ask 9.99: then `FRA` is apart in EUR, and every product
/// sold there in euros has a series of its own.
public struct StorefrontPriceLists: Hashable, Sendable {
  private var apart: [Currency: [Storefront]] = [:]
  /// The storefronts for which the catalogue has lines of their own.
  private var listed: [Currency: Set<Storefront>] = [:]

  /// No storefront is apart.
  public init() {}

  /// Marks a storefront as having its own price list, because reports or the catalogue show it.
  mutating func insert(_ storefront: Storefront, in currency: Currency, isListed: Bool = false) {
    if isListed { listed[currency, default: []].insert(storefront) }
    var known = apart[currency] ?? []
    guard !known.contains(storefront) else { return }
    known.append(storefront)
    apart[currency] = known.sorted()
  }

  /// All of them, by currency, then storefront.
  public var all: [SeparateStorefront] {
    apart.flatMap { currency, storefronts in
      storefronts.map {
        SeparateStorefront(
          currency: currency, storefront: $0,
          isListed: listed[currency]?.contains($0) ?? false)
      }
    }.sorted { ($0.currency, $0.storefront) < ($1.currency, $1.storefront) }
  }

  /// The storefronts apart in a currency, alphabetically.
  public subscript(currency: Currency) -> [Storefront] { apart[currency] ?? [] }

  /// Whether only reports show that a storefront has its own price list.
  func isByReports(_ storefront: Storefront, in currency: Currency) -> Bool {
    self[currency].contains(storefront) && !(listed[currency]?.contains(storefront) ?? false)
  }

  /// The price lists that may hold for a place, `nil` being the one of all storefronts that are not
  /// apart: one where the place is known or no storefront is apart, else all of them.
  public func lists(for place: Storefront?, in currency: Currency) -> [Storefront?] {
    let known = self[currency]
    guard let place else { return [nil] + known }
    return [known.contains(place) ? place : nil]
  }

  /// The price list that must hold for a place: the only one of ``lists(for:in:)``; `nil` if
  /// several may.
  func list(for place: Storefront?, in currency: Currency) -> PriceListName? {
    let lists = lists(for: place, in: currency)
    return lists.count == 1 ? PriceListName(storefront: lists[0]) : nil
  }
}

/// A price list of a currency: of a storefront apart, or, without one, of all others.
struct PriceListName: Hashable, Sendable {
  var storefront: Storefront?
}

/// A storefront with a price list of its own in a currency.
public struct SeparateStorefront: Hashable, BitwiseCopyable, Sendable {
  /// The currency.
  public var currency: Currency
  /// The storefront.
  public var storefront: Storefront
  /// Whether the catalogue has lines for it.
  public var isListed: Bool
}
