internal import CivilTime
internal import PurchaseModel

/// What revenue rows tell of their products.
struct ProductFacts: Sendable {
  private struct Term: Hashable, Sendable {
    var productID: ProductID
    var period: Period
  }

  /// How many regular rows cover each length.
  private var counts: [Term: Int] = [:]
  private var kinds: [ProductID: ProductKind] = [:]
  // Rows of a chain mostly repeat the one before; the dictionaries see a run once.
  private var run: (term: Term, count: Int)?
  private var newest: (productID: ProductID, kind: ProductKind)?

  /// Takes a row into account.
  mutating func see(_ row: Purchase, course: PurchaseCourse) {
    let kind = kindShown(by: row)
    if newest?.productID != row.productID || newest?.kind != kind {
      let known = kinds[row.productID] ?? .unknown
      kinds[row.productID] = Self.weight(kind) > Self.weight(known) ? kind : known
      newest = (row.productID, kind)
    }
    guard course.kind == .regular, let period = course.coveredPeriod else { return }
    let term = Term(productID: row.productID, period: period)
    if run?.term == term {
      run?.count += 1
      return
    }
    endRun()
    run = (term, 1)
  }

  /// Takes what other rows tell into account; their last run has been counted.
  mutating func add(_ other: ProductFacts) {
    counts.merge(other.counts, uniquingKeysWith: +)
    kinds.merge(other.kinds) { Self.weight($1) > Self.weight($0) ? $1 : $0 }
  }

  /// The length of each product's period: the catalogue's, else the commonest one, else the
  /// shortest of equally common ones.
  func periods(catalogue: Catalogue) -> [ProductID: Period] {
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

  /// The kind of each product seen: the catalogue's, else what its rows show.
  func kinds(catalogue: Catalogue) -> [ProductID: ProductKind] {
    var kinds = kinds
    for productID in kinds.keys {
      if let kind = catalogue.products[productID]?.kind { kinds[productID] = kind }
    }
    return kinds
  }

  /// Counts the rows of the running run.
  mutating func endRun() {
    if let run { counts[run.term, default: 0] += run.count }
    run = nil
  }

  /// What one row shows: a signed transaction tells; otherwise only consumables are sold several at
  /// once, and of what does not renew nothing else can be told apart.
  private func kindShown(by row: Purchase) -> ProductKind {
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
