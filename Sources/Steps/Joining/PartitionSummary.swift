public import PurchaseModel
public import Purchases

/// The data of a merged partition that joining needs, without the chains themselves.
public struct PartitionSummary: Sendable {
  /// For each chain, whether it belongs to Apple's sandbox.
  public private(set) var isSandbox: [Bool]
  /// For each chain, true for a subscription or a non-consumable; always false in Apple's sandbox.
  public private(set) var isDurable: [Bool]
  /// For each chain, whether Apple signed one of its prices; empty if another process merged the
  /// partition.
  public private(set) var isSigned: [Bool]
  /// The chains in each response, and the customer ids in the records of each chain.
  public private(set) var accountLinks: AccountLinks
  /// The key of each chain; empty if another process merged the partition.
  public private(set) var keys: [ChainKey]

  /// Creates the summary of a partition.
  public init(_ partition: MergedPartition, catalogue: Catalogue) {
    isSandbox = partition.chainKeys.map(\.isSandbox)
    keys = partition.chainKeys.map(\.key)
    isDurable = partition.durableChains(catalogue)
    accountLinks = partition.accountLinks
    var isSigned = [Bool](repeating: false, count: keys.count)
    for purchase in partition.book.purchases where purchase.signed?.price != nil {
      isSigned[
        partition.position(of: purchase.originalTransactionID, isSandbox: purchase.isSandbox)] =
        true
    }
    self.isSigned = isSigned
  }

  /// Creates the summary of a partition that another process merged.
  ///
  /// - Parameters:
  ///   - isDurable: For each chain, true for a subscription or a non-consumable; always false in
  ///     Apple's sandbox.
  public init(isSandbox: [Bool], isDurable: [Bool], accountLinks: AccountLinks) {
    self.isSandbox = isSandbox
    self.isDurable = isDurable
    self.accountLinks = accountLinks
    (keys, isSigned) = ([], [])
  }

  /// Creates the summary of no chain.
  public init() {
    self.init(
      isSandbox: [], isDurable: [], accountLinks: AccountLinks(chains: [], customers: []))
  }

  /// Adds a chain that was merged in an earlier run; its responses are not known any more.
  public mutating func add(
    _ key: ChainKey, isSandbox: Bool, isDurable: Bool, isSigned: Bool
  ) {
    keys.append(key)
    self.isSandbox.append(isSandbox)
    self.isDurable.append(isDurable)
    self.isSigned.append(isSigned)
  }

  /// Sets the customer ids of the added chains; sorted by chain, then customer.
  public mutating func set(customers: [AccountLinks.Named]) {
    accountLinks = AccountLinks(chains: [], customers: customers)
  }

  /// Frees the account links after joining.
  public mutating func forgetAccountLinks() {
    accountLinks = AccountLinks(chains: [], customers: [])
  }
}
