public import Amounts
public import CivilTime
public import PurchaseModel

/// The prices that Apple's reports show for a day, with the number of the facts' rows there.
///
/// Cells have no identities: a row is proven if everything that Apple charged in its cell had one
/// price. For example three units at 9.99 USD and two rows: both rows cost 9.99 USD.
public struct AppleCells: Sendable {
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

    /// Describes a cell.
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

  /// The proof that reports give for a row's price.
  public enum Proof: Hashable, Sendable {
    /// Whatever Apple charged there had this price.
    case price(Milliunits)
    /// Apple charged several prices there, between these two.
    case between(Milliunits, Milliunits)
  }

  private var charges: [Cell: [Milliunits: Int64]] = [:]
  private var rows: [Cell: Int64] = [:]
  /// The days with reports of all auto-renewable subscriptions.
  private let subscriptionDays: Set<CivilDay>
  /// The days with reports of everything else.
  private let otherDays: Set<CivilDay>

  /// Empty cells of the days that were read.
  public init(subscriptionDays: Set<CivilDay>, otherDays: Set<CivilDay>) {
    self.subscriptionDays = subscriptionDays
    self.otherDays = otherDays
  }

  /// Takes in one of Apple's charges.
  ///
  /// - Parameters:
  ///   - units: The number of units.
  ///   - price: The price of one, above 0.
  ///   - cell: The cell.
  public mutating func add(_ units: Int64, at price: Milliunits, in cell: Cell) {
    charges[cell, default: [:]][price, default: 0] += units
    guard cell.storefront != nil else { return }
    var all = cell
    all.storefront = nil
    charges[all, default: [:]][price, default: 0] += units
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
  /// its period. So three things must hold. All charges of the day and its neighbours agree. These
  /// days have been read. The facts have no more rows than Apple has units, in the days around too:
  /// with more rows some are not in Apple's books, and nothing tells which.
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
    guard (-1...1).allSatisfy({ days.contains(cell.day.advanced(by: $0)) }) else { return nil }
    var prices: Set<Milliunits> = []
    for shift in Int64(-1)...1 {
      prices.formUnion(charges[cell.shifted(by: shift), default: [:]].keys)
    }
    guard let low = prices.min(), let high = prices.max() else { return nil }
    guard rows[cell, default: 0] <= units(around: cell, 1),
      (Int64(-1)...1).reduce(0, { $0 + rows[cell.shifted(by: $1), default: 0] })
        <= units(around: cell, 2)
    else { return nil }
    return low == high ? .price(low) : .between(low, high)
  }

  /// Apple's units within a number of days.
  private func units(around cell: Cell, _ days: Int64) -> Int64 {
    (-days...days).reduce(0) { sum, shift in
      sum + charges[cell.shifted(by: shift), default: [:]].values.reduce(0, +)
    }
  }
}
