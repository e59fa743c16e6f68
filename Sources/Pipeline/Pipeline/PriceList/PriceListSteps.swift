internal import CivilTime
internal import PurchaseModel

/// The price history of a product, and the effect of each price change on existing subscribers.
///
/// For a storefront that App Store Connect lists, the changes are derived from the prices. Example:
/// 9.99 without a first day and with `preserved`, then 12.99 from 2025-03-03 → two prices, and a
/// change on 2025-03-03 after which existing subscribers still pay 9.99. A price that the owner
/// wrote for this storefront applies until the next price begins.
///
/// For other storefronts, the prices and changes that the owner wrote are used.
struct PriceListSteps {
  /// The list prices, sorted by currency, then day.
  private(set) var prices: [Catalogue.ListPrice] = []
  /// The price changes, sorted by currency, then day.
  private(set) var changes: [Catalogue.PriceChange] = []

  /// Derives the prices and changes from the entries of a product.
  init(_ product: CatalogueText.Product) {
    let fetched = Set(product.prices.lazy.filter { $0.seen != nil }.compactMap(\.storefront))
    var lines: [Storefront: [CatalogueText.Price]] = [:]
    for price in product.prices {
      if let storefront = price.storefront, fetched.contains(storefront) {
        lines[storefront, default: []].append(price)
      } else {
        prices.append(
          Catalogue.ListPrice(
            currency: price.currency, price: price.price, from: price.from ?? .beginning,
            storefront: price.storefront))
      }
    }
    var stated = product.priceChanges
    for storefront in lines.keys.sorted() {
      add(Self.steps(lines[storefront] ?? []), in: storefront, besides: &stated)
    }
    changes += stated
    prices.sort { ($0.currency, $0.from, $0.order) < ($1.currency, $1.from, $1.order) }
    changes.sort { ($0.currency, $0.from, $0.order) < ($1.currency, $1.from, $1.order) }
  }

  private mutating func add(
    _ steps: [Step], in storefront: Storefront, besides stated: inout [Catalogue.PriceChange]
  ) {
    var before: CatalogueText.Price?
    for step in steps {
      let line = step.line
      defer { before = line }
      guard line.price != before?.price || line.currency != before?.currency else { continue }
      prices.append(
        Catalogue.ListPrice(
          currency: line.currency, price: line.price, from: step.from, storefront: storefront,
          isFetched: line.seen != nil))
      guard let before, before.currency == line.currency else { continue }
      let isStated = stated.contains {
        $0.storefront == storefront && $0.currency == line.currency && $0.from == step.from
      }
      guard !isStated else { continue }
      changes.append(
        Catalogue.PriceChange(
          currency: line.currency, from: step.from,
          existingSubscribers: before.isPreserved ? .preserved : .moved, storefront: storefront))
    }
  }

  /// A price entry, with the day on which it came into force.
  struct Step {
    var from: CivilDay
    var line: CatalogueText.Price
  }

  /// Returns the prices of one storefront in the order in which they came into force.
  ///
  /// A price that was withdrawn before its first day is left out. If two prices have the same first
  /// day, the price that was listed second applies from the day on which it was listed. If both
  /// were listed on one day, the price without `preserved` applies. A manual price has priority
  /// over Apple's automatic prices. After a price has ended, the previous price applies again.
  static func steps(_ lines: [CatalogueText.Price]) -> [Step] {
    let starts = begun(lines.filter { $0.billingPlan != .monthly })
    let days = Set(starts.map(\.from) + starts.compactMap(\.line.to)).sorted()
    var steps: [Step] = []
    for day in days {
      let valid = starts.filter { $0.from <= day && $0.line.to.map { day < $0 } ?? true }
      guard let line = (valid.last { !$0.line.isAutomatic } ?? valid.last)?.line else { continue }
      steps.append(Step(from: day, line: line))
    }
    return steps
  }

  /// Selects the prices that came into force, sorted by their first day.
  ///
  /// If several prices begin on one day, the last of them in the result has priority.
  private static func begun(_ lines: [CatalogueText.Price]) -> [Step] {
    let sorted = lines.filter { line in
      guard let last = line.seen?.last, let from = line.from else { return true }
      return from <= last
    }.sorted { left, right in
      (left.from ?? .beginning, left.firstSeen, left.isPreserved ? 0 : 1, left.price)
        < (right.from ?? .beginning, right.firstSeen, right.isPreserved ? 0 : 1, right.price)
    }
    var steps: [Step] = []
    for line in sorted {
      let from = line.from ?? .beginning
      let first = sorted.first {
        ($0.from ?? .beginning) == from && $0.isAutomatic == line.isAutomatic
      }
      let isLater = first.map { $0.firstSeen < line.firstSeen } ?? false
      steps.append(Step(from: isLater ? max(from, line.firstSeen) : from, line: line))
    }
    return steps.enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
      .map(\.element)
  }
}

extension CatalogueText.Price {
  /// The first day on which App Store Connect listed the price.
  ///
  /// A price that the owner wrote has the value `.beginning`, a day before any purchase.
  fileprivate var firstSeen: CivilDay { seen?.first ?? .beginning }
}

extension Catalogue.ListPrice {
  fileprivate var order: UInt32 { storefront?.rawValue ?? 0 }
}

extension Catalogue.PriceChange {
  fileprivate var order: UInt32 { storefront?.rawValue ?? 0 }
}
