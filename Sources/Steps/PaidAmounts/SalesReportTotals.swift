public import Amounts
public import CivilTime
public import PurchaseModel
internal import Purchases

/// The prices in Apple's reports per day, and the number of revenue rows in each cell.
///
/// Apple's reports have no transaction ids. So they prove a row's price only if all charges in its
/// cell have the same price. Example: a cell has three units in the report, all at 9.99 USD, and
/// two revenue rows: both rows are 9.99 USD.
public struct SalesReportTotals: Sendable {
  /// The offer of a cell.
  public enum Offer: Hashable, BitwiseCopyable, Sendable {
    /// No offer: the regular price.
    case none
    /// An introductory offer of the product.
    case introductory
    /// A promotional offer or an offer code.
    case named(OfferID)
  }

  /// One product in one storefront and currency, with one kind of offer, on one Pacific day.
  public struct Cell: Hashable, BitwiseCopyable, Sendable {
    /// The day in Pacific time.
    public var day: CivilDay
    /// The product without its app, because Apple's reports do not contain bundle ids.
    public var productID: ProductID
    /// The storefront; `nil` for all storefronts of the currency.
    public var storefront: Storefront?
    /// The currency of the charges.
    public var currency: Currency
    /// The offer of the charges.
    public var offer: Offer

    /// Creates a cell from its dimensions.
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

    /// Returns the cell of the same product, storefront, currency and offer some days later.
    func shifted(by days: Int64) -> Cell {
      var cell = self
      cell.day = day.advanced(by: days)
      return cell
    }
  }

  /// An amount of the developer's proceeds, with its currency.
  public struct Proceeds: Hashable, Sendable {
    /// The amount in thousandths of the currency.
    public var amount: Milliunits
    /// The currency of the proceeds, which may differ from the customer's.
    public var currency: Currency

    /// Creates proceeds from amount and currency.
    public init(amount: Milliunits, currency: Currency) {
      self.amount = amount
      self.currency = currency
    }
  }

  /// The result of comparing a row with Apple's reports: its price, or bounds.
  public enum Proof: Hashable, Sendable {
    /// All charges of the cell had this price.
    ///
    /// `isChecked` is true for a subscription if the cell's day, the day before and the day after
    /// have both a Sales and a Subscriber report, which agree.
    case price(Milliunits, isChecked: Bool)
    /// The charges of the cell had several prices, between these bounds.
    case between(Milliunits, Milliunits)
  }

  private(set) var charges: [Cell: [Milliunits: Int64]] = [:]
  private(set) var rows: [Cell: Int64] = [:]
  /// The proceeds per unit in each cell, keyed by price.
  ///
  /// A price has several amounts if Apple's commission differs.
  private(set) var proceeds: [Cell: [Milliunits: Set<Proceeds>]] = [:]
  /// The prices in Finance Detail on days without any other report.
  ///
  /// Their cells have no offer, because Finance Detail does not identify offers.
  private(set) var settled: [Cell: Set<Milliunits>] = [:]
  /// The storefronts in which a product's charges on a day prove no price.
  ///
  /// The element `nil` stands for all storefronts.
  private(set) var doubted: [ProductDay: Set<Storefront?>] = [:]
  /// The products whose charges prove no price, because several apps sell their id.
  let shared: Set<ProductID>
  /// The days with a Subscriber report, which has auto-renewable subscriptions only.
  let subscriberDays: Set<CivilDay>
  /// The days with a Sales report, which has all products.
  let salesDays: Set<CivilDay>

  /// Creates empty cells for the days of the reports.
  public init(
    subscriberDays: Set<CivilDay>, salesDays: Set<CivilDay>, shared: Set<ProductID> = []
  ) {
    self.shared = shared
    self.subscriberDays = subscriberDays
    self.salesDays = salesDays
  }

  /// Adds charges of Apple's reports.
  ///
  /// - Parameters:
  ///   - price: The price of one unit, above 0.
  ///   - stated: The developer's proceeds per unit, if reported.
  public mutating func add(
    _ units: Int64, at price: Milliunits, in cell: Cell, proceeds stated: Proceeds? = nil
  ) {
    var all = cell
    all.storefront = nil
    for place in cell.storefront == nil ? [all] : [cell, all] {
      charges[place, default: [:]][price, default: 0] += units
      if let stated { proceeds[place, default: [:]][price, default: []].insert(stated) }
    }
  }

  /// Adds a price from Finance Detail, for a day without any other report.
  public mutating func add(settled price: Milliunits, in cell: Cell) {
    var place = cell
    place.offer = .none
    settled[place, default: []].insert(price)
    place.storefront = nil
    settled[place, default: []].insert(price)
  }

  /// Excludes a product's charges on a day from all proofs.
  ///
  /// - Parameters:
  ///   - storefront: The storefront; `nil` for all.
  public mutating func doubt(_ day: CivilDay, _ productID: ProductID, in storefront: Storefront?) {
    doubted[ProductDay(productID, day), default: []].insert(storefront)
  }

  /// Adds the units of one or more revenue rows to the number of rows in their cell.
  public mutating func count(_ row: CellRow) {
    guard row.units != 0 else { return }
    rows[row.cell, default: 0] += row.units
    guard row.cell.storefront != nil else { return }
    var all = row.cell
    all.storefront = nil
    rows[all, default: 0] += row.units
  }

  /// Returns the price that the reports prove for a row.
  ///
  /// A renewal is charged up to a day before its period. So the reports from the day before the
  /// cell's day to the day after it are used; for a late payment, to the day after the last day on
  /// which Apple may have charged. Five conditions must hold:
  ///
  /// 1. Only one app sells the product's id.
  /// 2. The reports of all these days have been read.
  /// 3. All charges of these days have one price. Several prices prove only bounds.
  /// 4. Apple has at least as many units on these days as there are revenue rows on the cell's day.
  ///    Apple also has at least as many units on these days, the day before and the day after as
  ///    there are revenue rows on these days. Otherwise some rows are not in Apple's reports.
  /// 5. ``doubt(_:_:in:)`` has excluded none of the days of condition 4.
  ///
  /// Example: from May 9 to 11, Apple's only charges in the cell are three of 9.99 USD, and there
  /// are two revenue rows: both are 9.99 USD.
  ///
  /// - Parameter lateDays: The number of days by which the charge may be later than the cell's day.
  /// - Returns: The proof; `nil` if the reports prove nothing.
  public func proof(in cell: Cell, isSubscription: Bool, lateDays: Int64? = nil) -> Proof? {
    let last = max(1, (lateDays ?? 0) + 1)
    guard isReported(cell, -1...last, isSubscription: isSubscription),
      !shared.contains(cell.productID),
      !(-2...last + 1).contains(where: { isDoubted(cell.shifted(by: $0)) })
    else { return nil }
    var prices: Set<Milliunits> = []
    for shift in -1...last {
      prices.formUnion(charges[cell.shifted(by: shift), default: [:]].keys)
    }
    guard let low = prices.min(), let high = prices.max() else { return nil }
    guard rows[cell, default: 0] <= units(from: cell, -1...last),
      (-1...last).reduce(0, { $0 + rows[cell.shifted(by: $1), default: 0] })
        <= units(from: cell, -2...last + 1)
    else { return nil }
    guard low == high else { return .between(low, high) }
    let isChecked =
      isSubscription
      && (-1...last).allSatisfy {
        let day = cell.day.advanced(by: $0)
        return salesDays.contains(day) && subscriberDays.contains(day)
      }
    return .price(low, isChecked: isChecked)
  }

  /// Whether all reports of some days have been read; the days are counted from the cell's day.
  private func isReported(_ cell: Cell, _ shifts: ClosedRange<Int64>, isSubscription: Bool) -> Bool
  {
    shifts.allSatisfy {
      let day = cell.day.advanced(by: $0)
      return salesDays.contains(day) || isSubscription && subscriberDays.contains(day)
    }
  }

  /// Returns true if Apple may have charged a row 2 to 16 days after the row's day, in another
  /// cell.
  ///
  /// Two conditions must hold:
  ///
  /// 1. Apple charged the given price on a day 2 to 16 days after the cell's day, and not after
  ///    `seenDays`: a snapshot of that day shows the row.
  /// 2. Apple has more units than there are revenue rows, either near the cell's day or near the
  ///    later day. Near means from the day before to the day after.
  ///
  /// Example: from May 2 to 4 Apple has three units at 9.99 USD, but there are only two revenue
  /// rows. On May 12 Apple has one unit at 8.99 USD. If the other rules find 8.99 USD for a row of
  /// May 3, Apple may have charged that row on May 12.
  ///
  /// - Returns: True if the charge may be in a later cell; then the row's own cell proves nothing.
  public func mayBeLate(_ price: Milliunits, in cell: Cell, seenDays: Int64? = nil) -> Bool {
    let last = min(LatePayment.longestGrace, seenDays ?? LatePayment.longestGrace)
    guard last >= 2 else { return false }
    let hasMore = hasMoreUnits(around: cell)
    return (2...last).lazy.map(cell.shifted).contains { later in
      charges[later]?[price] != nil && (hasMore || hasMoreUnits(around: later))
    }
  }

  /// Returns true if Apple charged a price on none of the days on which a row may be charged.
  ///
  /// These are the cell's day, the day before and the day after; for a late payment, all days to
  /// the day after the last possible one. The reports of all these days must have been read.
  /// Without late payment, Apple may still have charged the price on a later day; see
  /// ``mayBeLate(_:in:seenDays:)``.
  ///
  /// - Parameter lateDays: The number of days by which the charge may be later than the cell's day.
  func isUncharged(
    _ price: Milliunits, in cell: Cell, isSubscription: Bool, lateDays: Int64? = nil
  ) -> Bool {
    let last = max(1, (lateDays ?? 0) + 1)
    return isReported(cell, -1...last, isSubscription: isSubscription)
      && !shared.contains(cell.productID)
      && !(-2...last + 1).contains { isDoubted(cell.shifted(by: $0)) }
      && !(-1...last).contains { charges[cell.shifted(by: $0)]?[price] != nil }
  }

  /// Whether Apple has units in a cell, or in the cell one day before or after.
  func hasUnits(_ cell: Cell) -> Bool { units(from: cell, -1...1) > 0 }

  /// Whether Apple has more units than there are revenue rows, in total over the cell's day, the
  /// day before and the day after.
  private func hasMoreUnits(around cell: Cell) -> Bool {
    (Int64(-1)...1).reduce(0) { $0 + rows[cell.shifted(by: $1), default: 0] }
      < units(from: cell, -1...1)
  }

  /// Finds the price in Finance Detail on a cell's day, the day before and the day after.
  ///
  /// `nil` if there is no price, or several.
  public func settledPrice(in cell: Cell) -> Milliunits? {
    guard !shared.contains(cell.productID) else { return nil }
    var place = cell
    place.offer = .none
    let prices = (Int64(-1)...1).reduce(into: Set<Milliunits>()) { prices, shift in
      prices.formUnion(settled[place.shifted(by: shift)] ?? [])
    }
    return prices.count == 1 ? prices.first : nil
  }

  /// Finds the proceeds per unit at a price, on a cell's day, the day before and the day after.
  ///
  /// `nil` if Apple's reports have no proceeds at this price, or several different amounts, or if
  /// they prove nothing on one of these days.
  public func proceeds(in cell: Cell, at price: Milliunits) -> Proceeds? {
    guard !shared.contains(cell.productID),
      !(-1...1).contains(where: { isDoubted(cell.shifted(by: $0)) })
    else { return nil }
    let stated = (Int64(-1)...1).reduce(into: Set<Proceeds>()) { stated, shift in
      stated.formUnion(proceeds[cell.shifted(by: shift)]?[price] ?? [])
    }
    return stated.count == 1 ? stated.first : nil
  }

  private func isDoubted(_ cell: Cell) -> Bool {
    guard let storefronts = doubted[ProductDay(cell.productID, cell.day)] else { return false }
    return cell.storefront.map { storefronts.contains($0) || storefronts.contains(nil) } ?? true
  }

  /// The number of units that Apple's reports have in a cell, and in those days before and after.
  private func units(from cell: Cell, _ shifts: ClosedRange<Int64>) -> Int64 {
    shifts.reduce(0) { sum, shift in
      sum + charges[cell.shifted(by: shift), default: [:]].values.reduce(0, +)
    }
  }
}
