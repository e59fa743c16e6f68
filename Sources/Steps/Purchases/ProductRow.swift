public import CivilTime
public import PurchaseModel

/// The rows of one chain about one product and one length of its period.
///
/// Example: twelve regular rows of `pro.monthly`, each for a month, the first bought on May 1. The
/// rows of all chains add up to ``ProductFacts``.
public struct ProductRow: Hashable, BitwiseCopyable, Sendable {
  /// The product, with its app.
  public var productID: ProductID
  /// The kind that the revenue rows show; `nil` without a revenue row.
  public var kind: ProductKind?
  /// The newest subscription group that a revenue row names.
  public var group: ProductFacts.NamedGroup?
  /// The beginning of the chain, or of its first row of the product; `nil` without a revenue row.
  public var firstSold: Instant?
  /// The number of production purchases with a known app, those that are no revenue included.
  public var sold: Int32
  /// The length for which ``count`` regular rows pay; `nil` without such a row.
  public var period: Period?
  /// The number of regular rows with this length.
  public var count: Int32
  /// Whether any of these rows has the whole length: it was neither cut nor extended.
  public var isWhole: Bool

  /// Creates a row.
  public init(
    productID: ProductID, kind: ProductKind? = nil, group: ProductFacts.NamedGroup? = nil,
    firstSold: Instant? = nil, sold: Int32 = 0, period: Period? = nil, count: Int32 = 0,
    isWhole: Bool = false
  ) {
    self.productID = productID
    self.kind = kind
    self.group = group
    self.firstSold = firstSold
    self.sold = sold
    self.period = period
    self.count = count
    self.isWhole = isWhole
  }
}

extension MergedPartition {
  /// The products in the rows of each production chain, sorted by the position of the chain.
  public func productRows(_ catalogue: Catalogue) -> [(chain: ChainPosition, row: ProductRow)] {
    var rows: [(chain: ChainPosition, row: ProductRow)] = []
    for chain in book.chains {
      let position = ChainPosition(position(of: chain.originalTransactionID, isSandbox: false))
      for row in book.productRows(of: chain, catalogue) { rows.append((position, row)) }
    }
    for purchase in book.purchases[book.revenueCount...]
    where !purchase.isSandbox && purchase.bundle != nil {
      let position = ChainPosition(position(of: purchase.originalTransactionID, isSandbox: false))
      rows.append((position, ProductRow(productID: purchase.productInApp, sold: 1)))
    }
    rows.sort { $0.chain < $1.chain }
    return rows
  }
}

extension PurchaseHistory {
  /// The products in the revenue rows of a chain; nearly always one.
  func productRows(of chain: Chain, _ catalogue: Catalogue) -> [ProductRow] {
    var rows: [ProductRow] = []
    for position in chain.rows {
      var purchase = purchases[position]
      purchase.productID = purchase.productInApp
      let kind = purchase.kind(in: catalogue)
      let period = kind == .regular ? coveredPeriod(of: purchase, kind: kind) : nil
      let place = rows.firstIndex {
        $0.productID == purchase.productID
          && (period == nil || $0.period == nil || $0.period == period)
      }
      if place == nil { rows.append(ProductRow(productID: purchase.productID)) }
      rows[place ?? rows.count - 1].include(
        purchase, period: period, beganAt: min(chain.beganAt, purchase.purchasedAt))
    }
    return rows
  }
}

extension ProductRow {
  fileprivate mutating func include(_ purchase: Purchase, period: Period?, beganAt: Instant) {
    let shown = ProductFacts.kindShown(by: purchase)
    kind = kind.map { ProductFacts.weight(shown) > ProductFacts.weight($0) ? shown : $0 } ?? shown
    if let named = purchase.subscriptionGroupID.map({
      ProductFacts.NamedGroup(at: purchase.purchasedAt, group: $0)
    }) {
      group = group.map { max($0, named) } ?? named
    }
    firstSold = firstSold.map { min($0, beganAt) } ?? beganAt
    if purchase.bundle != nil { sold += 1 }
    guard let period else { return }
    self.period = period
    isWhole = isWhole || nominalPeriod(of: purchase) == period
    count += 1
  }
}
