public import CivilTime
public import PurchaseModel

/// The identity of a purchase: observations with equal identities are one purchase.
public struct PurchaseIdentity: Hashable, Sendable {
  /// The form of an identity, depending on the ids that a row has.
  public enum Form: UInt8, Hashable, Sendable, CaseIterable {
    /// A row with a line item: identified by chain and line item.
    case lineItem
    /// A subscription's row without a line item: identified by original id, product and purchase
    /// time.
    case subscriptionRow
    /// Any other row: identified by original id and product, so that a restore is the same
    /// purchase.
    case oneTime

    /// The letter of the form in keys.
    fileprivate var letter: Unicode.Scalar {
      switch self {
      case .lineItem: "w"
      case .subscriptionRow: "s"
      case .oneTime: "o"
      }
    }
  }

  /// Whether the purchase is in Apple's sandbox.
  ///
  /// Purchases of different environments are never merged.
  public var isSandbox: Bool
  /// The form of the identity: it determines which ids are compared.
  public var form: Form
  /// The chain; equal line items in two chains are two purchases.
  public var chain: OriginalTransactionID
  /// The line item that identifies the purchase; `nil` if the form is not ``Form/lineItem``.
  public var lineItemID: LineItemID?
  /// The product of the purchase; `nil` if the form is ``Form/lineItem``.
  public var productID: ProductID?
  /// The purchase time in whole seconds for the form ``Form/subscriptionRow``.
  ///
  /// It is the epoch for the other forms.
  public var purchasedAt: Instant

  /// Creates the identity of a row with a line item.
  public init(lineItem: LineItemID, of chain: OriginalTransactionID, isSandbox: Bool) {
    self.isSandbox = isSandbox
    form = .lineItem
    self.chain = chain
    lineItemID = lineItem
    productID = nil
    purchasedAt = .epoch
  }

  /// Determines the identity of a row from the ids of the row itself.
  public init(of observation: TransactionObservation, isSandbox: Bool) {
    if let lineItem = observation.lineItemID {
      self = PurchaseIdentity(
        lineItem: lineItem, of: observation.originalTransactionID, isSandbox: isSandbox)
      return
    }
    self.isSandbox = isSandbox
    form = observation.isOfSubscription ? .subscriptionRow : .oneTime
    chain = observation.originalTransactionID
    lineItemID = nil
    productID = observation.productID
    purchasedAt = form == .subscriptionRow ? observation.purchasedAt.wholeSecond : .epoch
  }

  /// Computes the key of the purchase: a stable hash of its ids.
  ///
  /// The hashed text begins with `P` for production or `S` for the sandbox. It continues with the
  /// letter of the form and its ids:
  ///
  /// - `w`, original id and line item for ``Form/lineItem``
  /// - `s`, original id, product and the purchase time in milliseconds for ``Form/subscriptionRow``
  /// - `o`, original id and product for ``Form/oneTime``
  public func key(in symbols: SymbolTable, using hasher: inout StableKeyHasher) -> PurchaseKey {
    hasher.append((isSandbox ? "S" : "P") as Unicode.Scalar)
    hasher.append(form.letter)
    hasher.append(chain.number, in: symbols)
    if let lineItemID { hasher.append(lineItemID.number, in: symbols) }
    if let productID { hasher.append(productID.symbol, in: symbols) }
    if form == .subscriptionRow { hasher.append(purchasedAt.milliseconds) }
    return PurchaseKey(rawValue: hasher.finish())
  }

  /// A mixed 64-bit hash for grouping; no output depends on the hash.
  var mixedBits: UInt64 {
    let id = lineItemID?.number ?? chain.number
    var bits = wellMixed(id.rawValue ^ UInt64(form.rawValue) << 62 ^ (isSandbox ? 1 << 61 : 0))
    if let productID { bits = wellMixed(bits ^ UInt64(productID.symbol.rawValue)) }
    if form == .subscriptionRow {
      bits = wellMixed(bits ^ UInt64(bitPattern: purchasedAt.milliseconds))
    }
    return bits
  }

  /// Orders two identities; needed only for different identities with equal hashes.
  static func precedes(_ left: PurchaseIdentity, _ right: PurchaseIdentity) -> Bool {
    if left.form != right.form { return left.form.rawValue < right.form.rawValue }
    if left.isSandbox != right.isSandbox { return right.isSandbox }
    if left.chain != right.chain { return left.chain < right.chain }
    if left.lineItemID != right.lineItemID {
      guard let first = left.lineItemID, let second = right.lineItemID else {
        return left.lineItemID == nil
      }
      return first < second
    }
    if left.productID != right.productID {
      guard let first = left.productID, let second = right.productID else {
        return left.productID == nil
      }
      return first < second
    }
    return left.purchasedAt < right.purchasedAt
  }
}

/// Finds the purchases of rows that lack Apple's line item.
///
/// A subscription's row may lack a line item. If another row has the same chain, product and
/// purchase time, and has a line item, both rows are of one purchase. If rows of several purchases
/// match, the purchase with the smallest key is used.
///
/// A row of a hosted service belongs to the purchase of Apple's data that has its transaction id.
/// If there is none, all rows of services with the id are one purchase: a refund may have a time of
/// its own.
struct LineItemJoins {
  private typealias Join = (identity: PurchaseIdentity, key: PurchaseKey)

  private var lineItems: [PurchaseIdentity: Join?] = [:]
  private var transactions: [ServiceTransaction: Join] = [:]

  init(_ set: Observations) {
    var isOfService = false
    for observation in set.observations
    where observation.lineItemID == nil && observation.isOfSubscription {
      lineItems[Self.triple(observation, in: set)] = .some(nil)
    }
    for observation in set.observations where observation.service != nil { isOfService = true }
    guard !lineItems.isEmpty || isOfService else { return }
    var hasher = StableKeyHasher()
    for observation in set.observations {
      guard let lineItem = observation.lineItemID else { continue }
      let triple = Self.triple(observation, in: set)
      guard let known = lineItems[triple] else { continue }
      let identity = PurchaseIdentity(
        lineItem: lineItem, of: observation.originalTransactionID, isSandbox: triple.isSandbox)
      if known?.identity == identity { continue }
      let key = identity.key(in: set.symbols, using: &hasher)
      if let known, known.key < key { continue }
      lineItems[triple] = (identity, key)
    }
    if isOfService { joinServices(set, &hasher) }
  }

  /// Determines the identity of a row; if the row lacks its line item, uses that of a matching row.
  func identity(ofRow row: Int, in set: Observations) -> PurchaseIdentity {
    let observation = set.observations[row]
    if observation.service != nil,
      let join = transactions[ServiceTransaction(observation, in: set)]
    {
      return join.identity
    }
    let isSandbox = set.records[Int(observation.record)].isSandbox
    let own = PurchaseIdentity(of: observation, isSandbox: isSandbox)
    guard own.form == .subscriptionRow, let joined = lineItems[own] ?? nil else { return own }
    return joined.identity
  }

  private mutating func joinServices(_ set: Observations, _ hasher: inout StableKeyHasher) {
    var wanted: Set<ServiceTransaction> = []
    for observation in set.observations where observation.service != nil {
      wanted.insert(ServiceTransaction(observation, in: set))
    }
    var found: [ServiceTransaction: Join] = [:]
    // Apple's rows first: a service's row joins another service's only where Apple has none.
    for isOfService in [false, true] {
      var next: [ServiceTransaction: (join: Join, order: JoinOrder)] = [:]
      for row in set.observations.indices {
        let observation = set.observations[row]
        guard (observation.service != nil) == isOfService else { continue }
        let transaction = ServiceTransaction(observation, in: set)
        guard wanted.contains(transaction), found[transaction] == nil else { continue }
        let identity = identity(ofRow: row, in: set)
        if next[transaction]?.join.identity == identity { continue }
        let key = identity.key(in: set.symbols, using: &hasher)
        let order = JoinOrder(
          isUndated: !(observation.service?.isDated ?? true), at: observation.purchasedAt, key: key)
        if let known = next[transaction], known.order < order { continue }
        next[transaction] = ((identity, key), order)
      }
      for (transaction, candidate) in next { found[transaction] = candidate.join }
    }
    transactions = found
  }

  private static func triple(_ observation: TransactionObservation, in set: Observations)
    -> PurchaseIdentity
  {
    var observation = observation
    observation.lineItemID = nil
    observation.expiresAt = .epoch  // any expiry: the identity does not include it
    let isSandbox = set.records[Int(observation.record)].isSandbox
    return PurchaseIdentity(of: observation, isSandbox: isSandbox)
  }
}

/// A transaction id of a chain, in one environment.
private struct ServiceTransaction: Hashable {
  var chain: OriginalTransactionID
  var transaction: TransactionID
  var isSandbox: Bool

  init(_ observation: TransactionObservation, in set: Observations) {
    chain = observation.originalTransactionID
    transaction = observation.transactionID
    isSandbox = set.records[Int(observation.record)].isSandbox
  }
}

/// The order in which rows may give a purchase its identity: dated rows first, then the earliest.
private struct JoinOrder: Comparable {
  var isUndated: Bool
  var at: Instant
  var key: PurchaseKey

  static func < (left: JoinOrder, right: JoinOrder) -> Bool {
    if left.isUndated != right.isUndated { return right.isUndated }
    return (left.at, left.key) < (right.at, right.key)
  }
}
