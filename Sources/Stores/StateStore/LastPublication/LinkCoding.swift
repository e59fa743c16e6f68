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

extension ChainLink {
  /// Codes what the files say of a chain, without its key and its standing.
  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(Flags(isSandbox, isDurable, isSigned))
    (isSandbox, isDurable, isSigned) = (flags[0], flags[1], flags[2])
    coder.code(&customers)
    coder.code(&products)
  }
}

extension BodyReader {
  /// Reads the link of the chain with a given key and standing.
  mutating func link(_ key: ChainKey, _ standing: ChainLink.Standing) -> ChainLink {
    var link = ChainLink(
      key: key, isSandbox: false, isDurable: false, isSigned: false, customers: [], products: [],
      standing: standing)
    link.coded(by: &self)
    return link
  }
}

extension ProductRow: BodyValue {
  static var blank: ProductRow { ProductRow(productID: .blank) }

  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(
      Flags(
        productID.app != nil, kind != nil, group != nil, firstSold != nil, period != nil, isWhole))
    coder.code(&productID, hasApp: flags[0])
    coder.code(&kind, if: flags[1])
    if flags[2] {
      var (at, id) = (group?.at ?? .epoch, group?.group ?? .blank)
      coder.code(&at, after: .epoch)
      coder.code(&id)
      group = ProductFacts.NamedGroup(at: at, group: id)
    }
    coder.code(&firstSold, after: .epoch, if: flags[3])
    coder.code(&sold, below: 1 << 31)
    guard flags[4] else { return }
    var (unit, length) = (period?.unit ?? .day, period?.count ?? 1)
    coder.code(&unit)
    coder.code(&length, below: 1 << 31)
    coder.code(&count, below: 1 << 31)
    period = coder.known(Period(Int(length), unit), or: period)
    isWhole = flags[5]
  }
}
