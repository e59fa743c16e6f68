internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// The catalogue's list prices and price changes of one product in one currency, as they apply in
/// one price list.
///
/// Each of them begins a new stretch of the regular price, at 00:00:00 UTC of its day. A rebasing
/// of the currency begins a new stretch too.
struct CatalogueDates: Hashable, Sendable {
  /// A list price and the moment from which it applies.
  struct ListPrice: Hashable, Sendable {
    var from: Int64
    var price: Milliunits
  }

  /// The effect of a price change on existing subscribers, and the moment from which it applies.
  struct Change: Hashable, Sendable {
    var from: Int64
    var existingSubscribers: ExistingSubscribers
  }

  /// The moments at which a learned series begins a new stretch, ascending, in Unix milliseconds.
  ///
  /// The date of the first fetched price is left out, because this price may have begun before the
  /// first fetch. Example: a list fetched since May 20 begins with 2.99; reports show 2.99 since
  /// March.
  private(set) var cuts: [Int64] = []
  /// All moments at which a new stretch begins, including the date of the first fetched price;
  /// ascending, in Unix milliseconds.
  private var boundaries: [Int64] = []
  /// The moments in ``cuts`` at which the catalogue has a price change.
  private(set) var changeDates: Set<Int64> = []
  /// The list prices, ascending in time.
  private(set) var listPrices: [ListPrice] = []
  /// The price changes, ascending in time.
  private(set) var changes: [Change] = []
  /// The moments at which the currency was rebased, ascending, in Unix milliseconds.
  private var rebasings: [Int64] = []

  /// Selects the dates of a product in a currency that apply in one storefront.
  ///
  /// List prices without a storefront apply until the first list price of the storefront itself. A
  /// price change without a storefront applies unless the storefront has its own change of the
  /// same day. A list price applies only until the next rebasing of the currency.
  ///
  /// - Parameters:
  ///   - product: The catalogue's entry of the product; `nil` for an unlisted product.
  ///   - storefront: The storefront; `nil` for the common price list.
  init(
    _ product: Catalogue.Product?, rebased: [RebasedCurrency] = [], currency: Currency,
    storefront: Storefront?
  ) {
    rebasings = rebased.map(\.from.start.milliseconds)
    (cuts, boundaries) = (rebasings, rebasings)
    guard let product else { return }
    func holds(_ named: Storefront?) -> Bool { named == nil || named == storefront }
    let changed = product.priceChanges.filter {
      $0.currency == currency && holds($0.storefront)
    }
    let ownDays = Set(changed.lazy.filter { $0.storefront != nil }.map(\.from))
    for change in changed where change.storefront != nil || !ownDays.contains(change.from) {
      changes.append(
        Change(
          from: change.from.start.milliseconds, existingSubscribers: change.existingSubscribers))
    }
    let listed = product.prices.filter { $0.currency == currency && holds($0.storefront) }
    let firstOwn = listed.lazy.filter { $0.storefront != nil }.map(\.from).min()
    for price in listed where price.storefront != nil || firstOwn.map({ price.from < $0 }) ?? true {
      listPrices.append(ListPrice(from: price.from.start.milliseconds, price: price.price))
    }
    listPrices.sort { ($0.from, $0.price) < ($1.from, $1.price) }
    changes.sort {
      ($0.from, $0.existingSubscribers.rawValue) < ($1.from, $1.existingSubscribers.rawValue)
    }
    changeDates = Set(changes.map(\.from))
    let known = changeDates.union(rebasings)
    boundaries = known.union(listPrices.map(\.from)).sorted()
    let first = listed.filter { $0.storefront != nil }.min { $0.from < $1.from }
    let fetched = first.flatMap { $0.isFetched ? $0.from.start.milliseconds : nil }
    cuts = boundaries.filter { $0 != fetched || known.contains($0) }
  }

  /// The number of the stretch that contains a moment, from 0.
  func stretch(at time: Int64) -> Int { boundaries.firstPosition { $0 > time } }

  /// The list price in force at a moment.
  ///
  /// `nil` before the first list price, and if the currency was rebased since the last list price.
  func listPrice(at time: Int64) -> ListPrice? {
    let next = listPrices.firstPosition { $0.from > time }
    guard next > 0 else { return nil }
    let price = listPrices[next - 1]
    return rebasings.contains { price.from < $0 && $0 <= time } ? nil : price
  }

  /// The price changes after `after` and up to `through`, inclusive, oldest first.
  func changes(after: Int64, through: Int64) -> ArraySlice<Change> {
    let first = changes.firstPosition { $0.from > after }
    let end = changes.firstPosition { $0.from > through }
    return changes[first..<max(first, end)]
  }
}
