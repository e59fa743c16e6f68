public import CivilTime
public import PurchaseModel

/// Facts about products, derived from rows: period, kind, subscription group, first purchase and
/// apps.
///
/// Example: 900 regular rows of `pro.monthly` pay for a month and 3 pay for a week → its period is
/// a month. The facts of several sets of rows can be added. Each product here includes its app;
/// ``apps`` shows which ids several apps sell.
public struct ProductFacts: Hashable, Sendable {
  /// A product and the length, such as one month, for which one of its regular rows pays.
  public struct Term: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The product of the row.
    public var productID: ProductID
    /// The length for which the row pays.
    public var period: Period

    /// Creates a term from product and period.
    public init(productID: ProductID, period: Period) {
      self.productID = productID
      self.period = period
    }

    /// Orders terms by product, then period.
    public static func < (left: Self, right: Self) -> Bool {
      (left.productID, left.period) < (right.productID, right.period)
    }
  }

  /// The subscription group in a row, with the row's purchase time.
  public struct NamedGroup: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The purchase time of the row.
    public var at: Instant
    /// The subscription group of the row.
    public var group: SubscriptionGroupID

    /// Creates a group with the purchase time of its row.
    public init(at: Instant, group: SubscriptionGroupID) {
      self.at = at
      self.group = group
    }

    /// Orders groups by time, then group id.
    public static func < (left: Self, right: Self) -> Bool {
      (left.at, left.group) < (right.at, right.group)
    }
  }

  /// The number of regular rows per product and period.
  public private(set) var counts: [Term: Int] = [:]
  /// The kind of each product, derived from its rows.
  public private(set) var shownKinds: [ProductID: ProductKind] = [:]
  /// The newest subscription group of each product, with the time of its row.
  public private(set) var groups: [ProductID: NamedGroup] = [:]
  /// The time of each product's first purchase.
  ///
  /// A purchase in a chain that began before the purchase has the time of the chain's beginning.
  public private(set) var firstSold: [ProductID: Instant] = [:]

  /// The number of production purchases of each product with a known app.
  ///
  /// Purchases that are excluded from revenue, such as family-shared ones, are included.
  public private(set) var sold: [ProductID: Int] = [:]

  /// The apps that sell each product id.
  public var apps: ProductApps { ProductApps(sold: sold) }

  /// The time of the first purchase of each product, from ``firstSold``.
  ///
  /// A key has an app only if several apps sell the id.
  public var firstPurchases: [ProductID: Instant] {
    let apps = apps
    return Dictionary(
      firstSold.map { (apps.product($0.key), $0.value) }, uniquingKeysWith: min)
  }

  /// Creates facts without rows.
  public init() {}

  /// Creates facts from stored values.
  public init(
    counts: [Term: Int], shownKinds: [ProductID: ProductKind], groups: [ProductID: NamedGroup],
    sold: [ProductID: Int] = [:], firstSold: [ProductID: Instant] = [:]
  ) {
    self.sold = sold
    self.firstSold = firstSold
    self.counts = counts
    self.shownKinds = shownKinds
    self.groups = groups
  }

  /// Collects the facts of a purchase history.
  public init(_ book: PurchaseHistory, catalogue: Catalogue) {
    for purchase in book.purchases where !purchase.isSandbox {
      if purchase.bundle != nil { sold[purchase.productInApp, default: 0] += 1 }
    }
    // Consecutive rows of a chain usually have the same term, so a run of them needs one dictionary
    // access.
    var run: (term: Term, count: Int)?
    for row in 0..<book.revenueCount {
      var purchase = book.purchases[row]
      purchase.productID = purchase.productInApp
      include(purchase)
      let kind = purchase.kind(in: catalogue)
      guard kind == .regular, let period = coveredPeriod(of: purchase, kind: kind) else { continue }
      let term = Term(productID: purchase.productID, period: period)
      if run?.term == term {
        run?.count += 1
      } else {
        if let run { counts[run.term, default: 0] += run.count }
        run = (term, 1)
      }
    }
    if let run { counts[run.term, default: 0] += run.count }
    for chain in book.chains {
      for row in chain.rows {
        let product = book.purchases[row].productInApp
        let began = min(chain.beganAt, book.purchases[row].purchasedAt)
        if firstSold[product].map({ began < $0 }) ?? true { firstSold[product] = began }
      }
    }
  }

  private mutating func include(_ row: Purchase) {
    let kind = Self.kindShown(by: row)
    let known = shownKinds[row.productID]
    if known.map({ Self.weight(kind) > Self.weight($0) }) ?? true {
      shownKinds[row.productID] = kind
    }
    guard let group = row.subscriptionGroupID else { return }
    let named = NamedGroup(at: row.purchasedAt, group: group)
    if groups[row.productID].map({ $0 < named }) ?? true { groups[row.productID] = named }
  }

  /// Adds the facts of other rows.
  public mutating func add(_ other: ProductFacts) {
    counts.merge(other.counts, uniquingKeysWith: +)
    shownKinds.merge(other.shownKinds) { Self.weight($1) > Self.weight($0) ? $1 : $0 }
    groups.merge(other.groups, uniquingKeysWith: max)
    sold.merge(other.sold, uniquingKeysWith: +)
    firstSold.merge(other.firstSold, uniquingKeysWith: min)
  }

  /// Removes the facts of rows that were added before; the new facts are compared, but not added.
  ///
  /// - Returns: `false` if a product's kind, first purchase or newest group comes from a removed
  ///   row, and not from `new` too. Then the facts are wrong and must no longer be used.
  public mutating func remove(_ other: ProductFacts, replacedBy new: ProductFacts) -> Bool {
    for (term, count) in other.counts {
      let left = counts[term, default: 0] - count
      counts[term] = left == 0 ? nil : left
    }
    let keepsKinds = other.shownKinds.allSatisfy { product, kind in
      shownKinds[product] != kind || new.shownKinds[product] == kind
    }
    let keepsGroups = other.groups.allSatisfy { product, named in
      groups[product] != named || new.groups[product].map { $0 >= named } ?? false
    }
    for (product, count) in other.sold {
      let left = sold[product, default: 0] - count
      sold[product] = left == 0 ? nil : left
    }
    let keepsFirsts = other.firstSold.allSatisfy { product, first in
      firstSold[product] != first || new.firstSold[product].map { $0 <= first } ?? false
    }
    return keepsKinds && keepsGroups && keepsFirsts
  }

  /// The length of each product's period: from the catalogue, else the most frequent in its rows.
  ///
  /// If two lengths are equally frequent, the shorter is used.
  public func periods(catalogue: Catalogue) -> [ProductID: Period] {
    let apps = apps
    var counts: [Term: Int] = [:]
    for (term, count) in self.counts {
      counts[Term(productID: apps.product(term.productID), period: term.period), default: 0] +=
        count
    }
    var best: [ProductID: (count: Int, period: Period)] = [:]
    for (term, count) in counts {
      if let other = best[term.productID],
        other.count > count || (other.count == count && other.period < term.period)
      {
        continue
      }
      best[term.productID] = (count, term.period)
    }
    var periods = best.mapValues(\.period)
    for (productID, product) in catalogue.products {
      if let period = product.subscriptionPeriod { periods[productID] = period }
    }
    return periods
  }

  /// The kind of each product: from the catalogue, else derived from its rows.
  public func kinds(catalogue: Catalogue) -> [ProductID: ProductKind] {
    let apps = apps
    var kinds: [ProductID: ProductKind] = [:]
    for (shown, kind) in shownKinds {
      let productID = apps.product(shown)
      if kinds[productID].map({ Self.weight(kind) > Self.weight($0) }) ?? true {
        kinds[productID] = kind
      }
    }
    for productID in kinds.keys {
      if let kind = catalogue.products[productID]?.kind { kinds[productID] = kind }
    }
    return kinds
  }

  /// The subscription group of each product: from the catalogue, else from its newest row with a
  /// group.
  public func subscriptionGroups(catalogue: Catalogue) -> [ProductID: SubscriptionGroupID] {
    let apps = apps
    var newest: [ProductID: NamedGroup] = [:]
    for (named, group) in groups {
      let productID = apps.product(named)
      if newest[productID].map({ $0 < group }) ?? true { newest[productID] = group }
    }
    var named = newest.mapValues(\.group)
    for (productID, product) in catalogue.products {
      if let group = product.subscriptionGroupID { named[productID] = group }
    }
    return named
  }

  /// The kind of product that one row shows.
  ///
  /// A signed transaction states the kind. Without a signed transaction, a quantity above 1 shows a
  /// consumable; the kind of any other one-time purchase is unknown.
  private static func kindShown(by row: Purchase) -> ProductKind {
    if let kind = row.signed?.productKind { return kind }
    if row.isSubscription { return .autoRenewableSubscription }
    return row.quantity > 1 ? .consumable : .unknown
  }

  private static func weight(_ kind: ProductKind) -> Int {
    switch kind {
    case .autoRenewableSubscription: 4
    case .nonRenewingSubscription: 3
    case .nonConsumable: 2
    case .consumable: 1
    case .unknown: 0
    }
  }
}
