public import Amounts
public import CivilTime
public import PurchaseModel

/// The prices that Apple's reports show for a day, with the number of the facts' rows there.
///
/// Cells have no identities: a row is proven if everything that Apple charged in its cell had one
/// price. For example three units at 9.99 USD and two rows: both rows cost 9.99 USD.
public struct SalesReportTotals: Sendable {
  /// The offer of a cell.
  public enum Offer: Hashable, Sendable {
    /// The price of everybody.
    case none
    /// An introductory offer.
    case introductory
    /// A promotional offer, or an offer code.
    case named(OfferID)
  }

  /// The products of one kind that are sold in one place on one Pacific day.
  public struct Cell: Hashable, Sendable {
    /// The Pacific day.
    public var day: CivilDay
    /// The product without its app: Apple's reports name apps by other numbers.
    public var productID: ProductID
    /// The storefront; `nil` for all of the currency together.
    public var storefront: Storefront?
    /// The currency.
    public var currency: Currency
    /// The offer.
    public var offer: Offer

    /// Creates a key of Apple's totals from its dimensions.
    public init(
      day: CivilDay, productID: ProductID, storefront: Storefront?, currency: Currency,
      offer: Offer
    ) {
      self.day = day
      self.productID = productID.withoutApp
      self.storefront = storefront
      self.currency = currency
      self.offer = offer
    }

    /// The same on another day.
    func shifted(by days: Int64) -> Cell {
      var cell = self
      cell.day = day.advanced(by: days)
      return cell
    }
  }

  /// The developer's proceeds of one unit.
  public struct Proceeds: Hashable, Sendable {
    /// The amount of one unit, in thousandths.
    public var amount: Milliunits
    /// The currency, which may be another than the customer's.
    public var currency: Currency

    /// Creates proceeds of their parts.
    public init(amount: Milliunits, currency: Currency) {
      self.amount = amount
      self.currency = currency
    }
  }

  /// The proof that reports give for a row's price.
  public enum Proof: Hashable, Sendable {
    /// Whatever Apple charged there had this price, and two reports of each day agree on it, or
    /// only one was read.
    case price(Milliunits, isChecked: Bool)
    /// Apple charged several prices there, between these two.
    case between(Milliunits, Milliunits)
  }

  private var charges: [Cell: [Milliunits: Int64]] = [:]
  private var rows: [Cell: Int64] = [:]
  /// The proceeds of one unit at each price; several where Apple's share differs.
  private var proceeds: [Cell: [Milliunits: Set<Proceeds>]] = [:]
  /// The prices in Finance Detail on days without other reports, of any offer.
  private var settled: [Cell: Set<Milliunits>] = [:]
  /// The storefronts in which a day's charges of a product prove nothing.
  private var doubted: [ProductDay: Set<Storefront?>] = [:]

  private struct ProductDay: Hashable {
    var day: CivilDay
    var productID: ProductID
  }
  /// The days with reports of all auto-renewable subscriptions.
  private let subscriptionDays: Set<CivilDay>
  /// The days with reports of everything else.
  private let otherDays: Set<CivilDay>

  /// Empty cells of the days that were read.
  public init(subscriptionDays: Set<CivilDay>, otherDays: Set<CivilDay>) {
    self.subscriptionDays = subscriptionDays
    self.otherDays = otherDays
  }

  /// Adds one of Apple's charges.
  ///
  /// - Parameters:
  ///   - units: The number of units.
  ///   - price: The price of one, above 0.
  ///   - cell: The cell.
  ///   - told: The developer's proceeds per unit, if reported.
  public mutating func add(
    _ units: Int64, at price: Milliunits, in cell: Cell, proceeds told: Proceeds? = nil
  ) {
    var all = cell
    all.storefront = nil
    for place in cell.storefront == nil ? [all] : [cell, all] {
      charges[place, default: [:]][price, default: 0] += units
      if let told { proceeds[place, default: [:]][price, default: []].insert(told) }
    }
  }

  /// Adds one price in Finance Detail on a day without other reports.
  public mutating func add(settled price: Milliunits, in cell: Cell) {
    var place = cell
    place.offer = .none
    settled[place, default: []].insert(price)
    place.storefront = nil
    settled[place, default: []].insert(price)
  }

  /// Marks the charges of a product on a day as no proof.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - productID: The product.
  ///   - storefront: The storefront; `nil` for all.
  public mutating func doubt(_ day: CivilDay, _ productID: ProductID, in storefront: Storefront?) {
    doubted[ProductDay(day: day, productID: productID), default: []].insert(storefront)
  }

  /// Counts rows of the facts that are not free.
  public mutating func count(_ counts: [Cell: Int64]) {
    for (cell, units) in counts {
      rows[cell, default: 0] += units
      guard cell.storefront != nil else { continue }
      var all = cell
      all.storefront = nil
      rows[all, default: 0] += units
    }
  }

  /// The proof that the reports give for a row.
  ///
  /// Apple's day may lie beside the day of the row, because a renewal is charged up to a day before
  /// its period. So four things must hold. All charges of the day and its neighbours agree. These
  /// days have been read. The facts have no more rows than Apple has units, in the days around too:
  /// with more rows some are not in Apple's books, and nothing tells which. And no two reports of
  /// these days differ there.
  ///
  /// For example Apple charged 9.99 USD three times in the cell of the 9th to the 11th of May and
  /// nothing else, and the facts have two rows there: both cost 9.99 USD.
  ///
  /// - Parameters:
  ///   - cell: The cell of the row.
  ///   - isSubscription: Whether it is an auto-renewable subscription.
  /// - Returns: The proof; `nil` if the reports prove nothing.
  public func proof(in cell: Cell, isSubscription: Bool) -> Proof? {
    let days = isSubscription ? subscriptionDays : otherDays
    guard (-1...1).allSatisfy({ days.contains(cell.day.advanced(by: $0)) }),
      !(-2...2).contains(where: { isDoubted(cell.shifted(by: $0)) })
    else { return nil }
    var prices: Set<Milliunits> = []
    for shift in Int64(-1)...1 {
      prices.formUnion(charges[cell.shifted(by: shift), default: [:]].keys)
    }
    guard let low = prices.min(), let high = prices.max() else { return nil }
    guard rows[cell, default: 0] <= units(around: cell, 1),
      (Int64(-1)...1).reduce(0, { $0 + rows[cell.shifted(by: $1), default: 0] })
        <= units(around: cell, 2)
    else { return nil }
    guard low == high else { return .between(low, high) }
    let isChecked =
      isSubscription
      && (-1...1).allSatisfy { otherDays.contains(cell.day.advanced(by: $0)) }
    return .price(low, isChecked: isChecked)
  }

  /// Returns true if a row of another price may be absent from its cell, because Apple charged for
  /// it later: Apple has more units in the cell than the facts have rows, and charged that price 2
  /// to 16 days later.
  ///
  /// For example three units at 9.99 USD and two rows around the 3rd of May, and one unit at 8.99
  /// USD on the 12th: a row of the 3rd that seems to have cost 8.99 USD may be that charge.
  ///
  /// - Parameters:
  ///   - price: The price that the row seems to have had.
  ///   - cell: The cell of the row.
  /// - Returns: Whether the cell proves nothing of such a row.
  public func mayBeLate(_ price: Milliunits, in cell: Cell) -> Bool {
    let rowsNear = (Int64(-1)...1).reduce(0) { $0 + rows[cell.shifted(by: $1), default: 0] }
    guard rowsNear < units(around: cell, 1) else { return false }
    return (Int64(2)...16).contains { charges[cell.shifted(by: $0)]?[price] != nil }
  }

  /// Finds the only price in Finance Detail on a cell's day and beside it; `nil` otherwise.
  public func settledPrice(in cell: Cell) -> Milliunits? {
    var place = cell
    place.offer = .none
    let prices = (Int64(-1)...1).reduce(into: Set<Milliunits>()) { prices, shift in
      prices.formUnion(settled[place.shifted(by: shift)] ?? [])
    }
    return prices.count == 1 ? prices.first : nil
  }

  /// Finds the proceeds of one unit at a price in a cell and beside it; `nil` without one figure.
  public func proceeds(in cell: Cell, at price: Milliunits) -> Proceeds? {
    let told = (Int64(-1)...1).reduce(into: Set<Proceeds>()) { told, shift in
      told.formUnion(proceeds[cell.shifted(by: shift)]?[price] ?? [])
    }
    return told.count == 1 ? told.first : nil
  }

  private func isDoubted(_ cell: Cell) -> Bool {
    guard let storefronts = doubted[ProductDay(day: cell.day, productID: cell.productID)] else {
      return false
    }
    return cell.storefront.map { storefronts.contains($0) || storefronts.contains(nil) } ?? true
  }

  /// Apple's units within a number of days.
  private func units(around cell: Cell, _ days: Int64) -> Int64 {
    (-days...days).reduce(0) { sum, shift in
      sum + charges[cell.shifted(by: shift), default: [:]].values.reduce(0, +)
    }
  }
}
