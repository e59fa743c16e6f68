internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// Every product × currency that a report or the catalogue prices, with the catalogue's dates.
///
/// A group is named by its position, in the order of product, then currency. The dates of
/// `price_changes` and `prices` (00:00:00 UTC) cut a group's regular price into stretches.
struct PriceGroups: Sendable {
  /// A date that begins a new stretch.
  struct Cut: Hashable, Sendable {
    var at: Int64  // Unix milliseconds, UTC
    /// Whether a `price_changes` entry names the date: its stretch has one price.
    var isPriceChange: Bool
  }

  /// A list price from a moment on.
  struct ListPrice: Hashable, Sendable {
    var from: Int64
    var price: Milliunits
  }

  /// What a price change did to existing subscribers.
  struct Change: Hashable, Sendable {
    var from: Int64
    var existingSubscribers: ExistingSubscribers
  }

  /// Product in the upper, currency in the lower half, ascending.
  private(set) var keys: [UInt64] = []
  private(set) var cuts: [[Cut]] = []
  private(set) var listPrices: [[ListPrice]] = []
  private(set) var changes: [[Change]] = []

  /// The groups of the reports and the catalogue.
  init(reports: [PriceReport], catalogue: Catalogue) {
    var seen: Set<UInt64> = []
    for report in reports { seen.insert(Self.key(report.productID, report.currency)) }
    for product in catalogue.products.values {
      for change in product.priceChanges {
        seen.insert(Self.key(product.productID, change.currency))
      }
      for price in product.prices { seen.insert(Self.key(product.productID, price.currency)) }
      for offer in product.offers { seen.insert(Self.key(product.productID, offer.currency)) }
    }
    keys = seen.sorted()
    cuts = Array(repeating: [], count: keys.count)
    listPrices = Array(repeating: [], count: keys.count)
    changes = Array(repeating: [], count: keys.count)
    for product in catalogue.products.values { add(product) }
    for group in keys.indices { arrange(group) }
  }

  /// How many groups there are.
  var count: Int { keys.count }

  /// The group of a product and a currency; `nil` where nothing prices it.
  func index(_ product: ProductID, _ currency: Currency) -> Int32? {
    let key = Self.key(product, currency)
    let place = keys.firstPosition { $0 >= key }
    return place < keys.count && keys[place] == key ? Int32(place) : nil
  }

  /// The product of a group.
  func product(_ group: Int32) -> ProductID {
    ProductID(Symbol(rawValue: UInt32(truncatingIfNeeded: keys[Int(group)] >> 32)))
  }

  /// The currency of a group.
  func currency(_ group: Int32) -> Currency {
    Currency(rawValue: UInt32(truncatingIfNeeded: keys[Int(group)]))
  }

  /// The stretch a moment lies in, from 0: how many cuts lie at or before it.
  func stretch(_ group: Int32, at time: Int64) -> Int {
    cuts[Int(group)].firstPosition { $0.at > time }
  }

  /// The catalogue's list price in force; `nil` where none is listed yet.
  func listPrice(_ group: Int32, at time: Int64) -> ListPrice? {
    let prices = listPrices[Int(group)]
    let next = prices.firstPosition { $0.from > time }
    return next > 0 ? prices[next - 1] : nil
  }

  /// The latest price change after one moment and at or before another.
  func change(_ group: Int32, after: Int64, through: Int64) -> Change? {
    let known = changes[Int(group)]
    let next = known.firstPosition { $0.from > through }
    guard next > 0, known[next - 1].from > after else { return nil }
    return known[next - 1]
  }

  private static func key(_ product: ProductID, _ currency: Currency) -> UInt64 {
    UInt64(product.symbol.rawValue) << 32 | UInt64(currency.rawValue)
  }

  private mutating func add(_ product: Catalogue.Product) {
    for change in product.priceChanges {
      guard let group = index(product.productID, change.currency) else { continue }
      let from = change.from.start.milliseconds
      cuts[Int(group)].append(Cut(at: from, isPriceChange: true))
      changes[Int(group)].append(
        Change(from: from, existingSubscribers: change.existingSubscribers))
    }
    for price in product.prices {
      guard let group = index(product.productID, price.currency) else { continue }
      let from = price.from.start.milliseconds
      cuts[Int(group)].append(Cut(at: from, isPriceChange: false))
      listPrices[Int(group)].append(ListPrice(from: from, price: price.price))
    }
  }

  /// Sorts a group's dates; a date named twice cuts once.
  private mutating func arrange(_ group: Int) {
    let sorted = cuts[group].sorted {
      ($0.at, $0.isPriceChange ? 0 : 1) < ($1.at, $1.isPriceChange ? 0 : 1)
    }
    var unique: [Cut] = []
    for cut in sorted where unique.last?.at != cut.at { unique.append(cut) }
    cuts[group] = unique
    listPrices[group].sort { ($0.from, $0.price) < ($1.from, $1.price) }
    changes[group].sort {
      ($0.from, $0.existingSubscribers.rawValue) < ($1.from, $1.existingSubscribers.rawValue)
    }
  }
}
