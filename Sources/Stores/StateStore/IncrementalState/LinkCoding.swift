public import CivilTime
public import PurchaseModel

/// A row of `link`: the part of a chain that joining needs, from a publication to the next run.
///
/// For example the production chain of `100000831001003`, seen in one response with a second chain,
/// under the customer `s-trial-then-paid`; its last row expires on 8 May 2021.
public struct ChainLink: Hashable, Sendable {
  /// The chain.
  public var key: ChainKey
  /// The chain that represents its Apple account; itself where no response shows it with another.
  public var account: ChainKey
  /// Whether it lives in Apple's sandbox.
  public var isSandbox: Bool
  /// Whether it is a subscription or a non-consumable.
  public var isStanding: Bool
  /// The moment at which the passage of time changes one of its rows; `nil` for never.
  public var nextChangeAt: Instant?
  /// The customers that production records with a row of it name, each once.
  public var customers: [CustomerID]

  /// Creates a chain from its fields.
  public init(
    key: ChainKey, account: ChainKey, isSandbox: Bool, isStanding: Bool, nextChangeAt: Instant?,
    customers: [CustomerID]
  ) {
    self.key = key
    self.account = account
    self.isSandbox = isSandbox
    self.isStanding = isStanding
    self.nextChangeAt = nextChangeAt
    self.customers = customers
  }
}

private struct LinkFlags {
  static let isSandbox: UInt8 = 1
  static let isStanding: UInt8 = 2
  static let changes: UInt8 = 4
  static let hasAccount: UInt8 = 8
}

extension BodyWriter {
  /// Writes a chain; its key stands beside the body.
  mutating func link(_ link: ChainLink) {
    var flags: UInt8 = 0
    if link.isSandbox { flags |= LinkFlags.isSandbox }
    if link.isStanding { flags |= LinkFlags.isStanding }
    if link.nextChangeAt != nil { flags |= LinkFlags.changes }
    if link.account != link.key { flags |= LinkFlags.hasAccount }
    byte(flags)
    if link.account != link.key { signed(link.account.rawValue) }
    if let moment = link.nextChangeAt { signed(moment.milliseconds) }
    number(link.customers.count)
    for customer in link.customers { self.customer(customer) }
  }
}

extension BodyReader {
  /// Reads a chain.
  mutating func link(_ key: ChainKey, in symbols: StoredSymbols) -> ChainLink {
    let flags = byte()
    let account = flags & LinkFlags.hasAccount == 0 ? key : ChainKey(rawValue: signed())
    let moment = flags & LinkFlags.changes == 0 ? nil : Instant(milliseconds: signed())
    var customers: [CustomerID] = []
    for _ in 0..<count() {
      if let customer = customer(in: symbols) { customers.append(customer) } else { giveUp() }
    }
    return ChainLink(
      key: key, account: account, isSandbox: flags & LinkFlags.isSandbox != 0,
      isStanding: flags & LinkFlags.isStanding != 0, nextChangeAt: moment, customers: customers)
  }
}
