public import CivilTime
public import PurchaseModel

/// A row of table `link`: the data of a chain that the next run needs to join households.
///
/// Example: the production chain `100000831001003` of the customer `s-trial-then-paid`. A response
/// contains the chain together with a second chain. The chain's last row expires on May 8, 2021.
public struct ChainLink: Hashable, Sendable {
  /// The key of the chain that this row describes.
  public var key: ChainKey
  /// The key of the chain that represents this chain's Apple account.
  ///
  /// Equal to ``key`` if no response contains this chain together with another chain.
  public var account: ChainKey
  /// Whether the chain belongs to Apple's sandbox.
  public var isSandbox: Bool
  /// Whether the chain is a subscription or a non-consumable.
  public var isDurable: Bool
  /// The next time at which the facts of the chain change without new data; `nil` for never.
  public var nextChangeAt: Instant?
  /// Whether an amount of the chain depends on charges in Apple's reports of days after the
  /// purchase.
  public var dependsOnLaterCharges: Bool
  /// The customer ids in production records that contain a row of the chain, without duplicates.
  public var customers: [CustomerID]

  /// Creates a chain from its fields.
  public init(
    key: ChainKey, account: ChainKey, isSandbox: Bool, isDurable: Bool, nextChangeAt: Instant?,
    dependsOnLaterCharges: Bool = false, customers: [CustomerID]
  ) {
    self.key = key
    self.account = account
    self.isSandbox = isSandbox
    self.isDurable = isDurable
    self.nextChangeAt = nextChangeAt
    self.dependsOnLaterCharges = dependsOnLaterCharges
    self.customers = customers
  }
}

extension BodyWriter {
  /// Writes the link of a chain, without the chain's key.
  mutating func link(_ link: ChainLink) {
    flags(
      Flags(
        link.isSandbox, link.isDurable, link.nextChangeAt != nil, link.account != link.key,
        link.dependsOnLaterCharges))
    if link.account != link.key { signed(link.account.rawValue) }
    if let moment = link.nextChangeAt { signed(moment.milliseconds) }
    number(link.customers.count)
    for customer in link.customers { self.customer(customer) }
  }
}

extension BodyReader {
  /// Reads the link of the chain with a given key.
  mutating func link(_ key: ChainKey, in symbols: StoredSymbols) -> ChainLink {
    var flags = flags()
    let (isSandbox, isDurable) = (flags.next(), flags.next())
    let (changes, hasAccount, isOnLater) = (flags.next(), flags.next(), flags.next())
    let account = hasAccount ? ChainKey(rawValue: signed()) : key
    let moment = changes ? Instant(milliseconds: signed()) : nil
    var customers: [CustomerID] = []
    for _ in 0..<count() {
      if let customer = customer(in: symbols) { customers.append(customer) } else { giveUp() }
    }
    return ChainLink(
      key: key, account: account, isSandbox: isSandbox, isDurable: isDurable,
      nextChangeAt: moment, dependsOnLaterCharges: isOnLater, customers: customers)
  }
}
