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

  /// The numbers of each product's chains by the lengths of their rows.
  public private(set) var lengths: [ProductID: ChainLengths] = [:]

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
    sold: [ProductID: Int] = [:], firstSold: [ProductID: Instant] = [:],
    lengths: [ProductID: ChainLengths] = [:]
  ) {
    self.sold = sold
    self.lengths = lengths
    self.firstSold = firstSold
    self.counts = counts
    self.shownKinds = shownKinds
    self.groups = groups
  }

  /// Collects the facts of a purchase history.
  public init(_ book: PurchaseHistory, catalogue: Catalogue) {
    for chain in book.chains {
      for row in book.productRows(of: chain, catalogue) { add(row) }
    }
    for purchase in book.purchases[book.revenueCount...]
    where !purchase.isSandbox && purchase.bundle != nil {
      add(ProductRow(productID: purchase.productInApp, sold: 1))
    }
  }

  /// Adds the rows of a chain.
  public mutating func add(_ row: ProductRow) {
    let product = row.productID
    if let period = row.period {
      counts[Term(productID: product, period: period), default: 0] += Int(row.count)
      if row.isWhole {
        lengths[product] = (lengths[product] ?? ChainLengths()) + ChainLengths(of: period)
      }
    }
    if let kind = row.kind {
      let known = shownKinds[product]
      if known.map({ Self.weight(kind) > Self.weight($0) }) ?? true { shownKinds[product] = kind }
    }
    if let group = row.group, groups[product].map({ $0 < group }) ?? true {
      groups[product] = group
    }
    if row.sold > 0 { sold[product, default: 0] += Int(row.sold) }
    if let first = row.firstSold, firstSold[product].map({ first < $0 }) ?? true {
      firstSold[product] = first
    }
  }

  /// Adds the facts of other rows.
  public mutating func add(_ other: ProductFacts) {
    counts.merge(other.counts, uniquingKeysWith: +)
    shownKinds.merge(other.shownKinds) { Self.weight($1) > Self.weight($0) ? $1 : $0 }
    groups.merge(other.groups, uniquingKeysWith: max)
    sold.merge(other.sold, uniquingKeysWith: +)
    lengths.merge(other.lengths, uniquingKeysWith: +)
    firstSold.merge(other.firstSold, uniquingKeysWith: min)
  }

  /// The length of each product's period: from the catalogue, else a year if a twentieth of its
  /// chains have a row of a year, else the most frequent length of its rows.
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
    for (productID, lengths) in chainLengths where lengths.isYearly { periods[productID] = .year }
    for (productID, product) in catalogue.products {
      if let period = product.subscriptionPeriod { periods[productID] = period }
    }
    return periods
  }

  /// The products whose period is unclear: the catalogue lacks it, and some chains have rows of a
  /// month and some have rows of a year.
  public func unclearPeriods(catalogue: Catalogue) -> Set<ProductID> {
    Set(
      chainLengths.lazy.filter { $0.value.isMixed }.map(\.key)
        .filter { catalogue.products[$0]?.subscriptionPeriod == nil })
  }

  /// The numbers of each product's chains; a key has an app only if several apps sell the id.
  private var chainLengths: [ProductID: ChainLengths] {
    let apps = apps
    return Dictionary(lengths.map { (apps.product($0.key), $0.value) }, uniquingKeysWith: +)
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

  /// The products whose period, kind or subscription group differs from earlier facts.
  public func changes(since earlier: ProductFacts, catalogue: Catalogue) -> Set<ProductID> {
    func differences<Value: Equatable>(_ values: (ProductFacts) -> [ProductID: Value])
      -> [ProductID]
    {
      let (old, new) = (values(earlier), values(self))
      return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    }
    return Set(
      differences { $0.periods(catalogue: catalogue) }
        + differences { $0.kinds(catalogue: catalogue) }
        + unclearPeriods(catalogue: catalogue)
        .symmetricDifference(earlier.unclearPeriods(catalogue: catalogue))
        + differences { $0.subscriptionGroups(catalogue: catalogue) })
  }

  /// The kind of product that one row shows.
  ///
  /// A signed transaction states the kind. Without a signed transaction, a quantity above 1 shows a
  /// consumable; the kind of any other one-time purchase is unknown.
  static func kindShown(by row: Purchase) -> ProductKind {
    if let kind = row.signed?.productKind { return kind }
    if row.isSubscription { return .autoRenewableSubscription }
    return row.quantity > 1 ? .consumable : .unknown
  }

  static func weight(_ kind: ProductKind) -> Int {
    switch kind {
    case .autoRenewableSubscription: 4
    case .nonRenewingSubscription: 3
    case .nonConsumable: 2
    case .consumable: 1
    case .unknown: 0
    }
  }
}
