internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The prices of a product in the order of their start, and the effect of each change on
/// subscribers.
///
/// Lines that the owner wrote stay unchanged. For a storefront that App Store Connect lists, the
/// steps are derived from all its lines; a line of the owner among them is in force until the next
/// line begins. Example: 9.99 without a day, preserved, and 12.99 from 2025-03-03 are two prices,
/// and a change on that day that existing subscribers do not pay.
struct PriceListSteps {
  /// The list prices, sorted by currency, then day.
  private(set) var prices: [Catalogue.ListPrice] = []
  /// The price changes, sorted by currency, then day.
  private(set) var changes: [Catalogue.PriceChange] = []

  /// Sorts the lines of a product into steps.
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

  /// A line, with the day on which it came into force.
  struct Step {
    var from: CivilDay
    var line: CatalogueText.Price
  }

  /// The lines of one storefront, in the order of their start.
  ///
  /// A price that was withdrawn before its first day never came into force. If several lines have
  /// the same first day, the line that was listed later is used. If they were listed together, the
  /// line that is not preserved is used. A price with an end, and a manual price among automatic
  /// prices, is in force on its own days.
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

  /// The lines that came into force, sorted by their first day.
  ///
  /// If several lines have the same first day, the last of them has priority.
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
  /// The first day on which the line was listed.
  ///
  /// A line that the owner wrote applies from the beginning.
  fileprivate var firstSeen: CivilDay { seen?.first ?? .beginning }
}

extension Catalogue.ListPrice {
  fileprivate var order: UInt32 { storefront?.rawValue ?? 0 }
}

extension Catalogue.PriceChange {
  fileprivate var order: UInt32 { storefront?.rawValue ?? 0 }
}
