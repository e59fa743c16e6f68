public import CivilTime
public import PurchaseModel
public import Purchases

/// A row of table `link`: the data of a chain that the next run needs to join households.
///
/// Example: the production chain `100000831001003` of the customer `s-trial-then-paid`. A response
/// contains the chain together with a second chain. The chain's last row expires on May 8, 2021.
public struct ChainLink: Hashable, Sendable {
  /// The part of a link that may change although no file says anything new about the chain.
  public struct Standing: Hashable, Sendable {
    /// The key of the chain that represents the chain's Apple account.
    ///
    /// Equal to the chain's own key if no response contains it together with another chain.
    public var account: ChainKey
    /// The next time at which the facts of the chain change without new data; `nil` for never.
    public var nextChangeAt: Instant?
    /// Whether an amount of the chain depends on charges in Apple's reports of days after the
    /// purchase.
    public var dependsOnLaterCharges: Bool

    /// Creates the standing of a chain.
    public init(account: ChainKey, nextChangeAt: Instant?, dependsOnLaterCharges: Bool) {
      self.account = account
      self.nextChangeAt = nextChangeAt
      self.dependsOnLaterCharges = dependsOnLaterCharges
    }
  }

  /// The key of the chain that this row describes.
  public var key: ChainKey
  /// Whether the chain belongs to Apple's sandbox.
  public var isSandbox: Bool
  /// Whether the chain is a subscription or a non-consumable.
  public var isDurable: Bool
  /// Whether Apple signed one of the chain's prices.
  public var isSigned: Bool
  /// The customer ids in production records that contain a row of the chain, without duplicates.
  public var customers: [CustomerID]
  /// The products in the chain's rows.
  public var products: [ProductRow]
  /// The part that may change without new data.
  public var standing: Standing

  /// Creates the link of a chain.
  public init(
    key: ChainKey, isSandbox: Bool, isDurable: Bool, isSigned: Bool, customers: [CustomerID],
    products: [ProductRow], standing: Standing
  ) {
    self.key = key
    self.isSandbox = isSandbox
    self.isDurable = isDurable
    self.isSigned = isSigned
    self.customers = customers
    self.products = products
    self.standing = standing
  }
}

extension BodyWriter {
  /// Writes what the files say of a chain, without its key and its standing.
  mutating func link(_ link: ChainLink) {
    flags(Flags(link.isSandbox, link.isDurable, link.isSigned))
    number(link.customers.count)
    for customer in link.customers { self.customer(customer) }
    number(link.products.count)
    for product in link.products { self.product(product) }
  }

  private mutating func product(_ row: ProductRow) {
    flags(
      Flags(
        row.productID.app != nil, row.kind != nil, row.group != nil, row.firstSold != nil,
        row.period != nil, row.isWhole))
    symbol(row.productID.symbol)
    if let app = row.productID.app { symbol(app.symbol) }
    if let kind = row.kind { byte(kind.number) }
    if let group = row.group {
      time(group.at, after: .epoch)
      symbol(group.group.symbol)
    }
    if let first = row.firstSold { time(first, after: .epoch) }
    number(Int(row.sold))
    guard let period = row.period else { return }
    byte(period.unit.rawValue)
    number(Int(period.count))
    number(Int(row.count))
  }
}

extension BodyReader {
  /// Reads the link of the chain with a given key and standing.
  mutating func link(
    _ key: ChainKey, _ standing: ChainLink.Standing, in symbols: StoredSymbols
  ) -> ChainLink {
    var flags = flags()
    let (isSandbox, isDurable, isSigned) = (flags.next(), flags.next(), flags.next())
    var customers: [CustomerID] = []
    for _ in 0..<count() {
      if let customer = customer(in: symbols) { customers.append(customer) } else { giveUp() }
    }
    let products = (0..<count()).map { _ in product(in: symbols) }
    return ChainLink(
      key: key, isSandbox: isSandbox, isDurable: isDurable, isSigned: isSigned,
      customers: customers, products: products, standing: standing)
  }

  private mutating func product(in symbols: StoredSymbols) -> ProductRow {
    var flags = flags()
    let (hasApp, hasKind, hasGroup) = (flags.next(), flags.next(), flags.next())
    let (isSold, hasPeriod, isWhole) = (flags.next(), flags.next(), flags.next())
    var row = ProductRow(
      productID: ProductID(symbol(in: symbols), of: hasApp ? BundleID(symbol(in: symbols)) : nil))
    if hasKind { row.kind = kind(byte()) }
    if hasGroup {
      row.group = ProductFacts.NamedGroup(
        at: time(after: .epoch), group: SubscriptionGroupID(symbol(in: symbols)))
    }
    if isSold { row.firstSold = time(after: .epoch) }
    row.sold = Int32(number(below: 1 << 31))
    guard hasPeriod else { return row }
    let (unit, length) = (Period.Unit(rawValue: byte()), number(below: 1 << 31))
    guard let unit, let period = Period(length, unit) else {
      giveUp()
      return row
    }
    row.period = period
    row.count = Int32(number(below: 1 << 31))
    row.isWhole = isWhole
    return row
  }

  private mutating func kind(_ number: UInt8) -> ProductKind {
    guard Int(number) < ProductKind.allCases.count else {
      giveUp()
      return .unknown
    }
    return ProductKind.allCases[Int(number)]
  }
}

extension ProductKind {
  /// The number of the kind in bodies.
  fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }
}
