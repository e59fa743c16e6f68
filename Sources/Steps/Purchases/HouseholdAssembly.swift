internal import CivilTime
public import PurchaseModel

/// Builds a purchase book from the chains of households: the output of merging becomes the input of
/// deciding.
///
/// Chains are added household by household. Whatever needs all chains is decided before:
/// households, placeholder customer ids, and ids that two purchases claim.
public struct HouseholdAssembly {
  private var book = PurchaseBook()
  private var excluded: [Purchase] = []
  private var aliases: [TransactionAlias] = []
  /// The aliases of excluded purchases, by their order, until all revenue rows are added.
  private var excludedAliases: [TransactionAlias] = []
  private let customers: CustomerOrder
  private let isPlaceholder: (CustomerID) -> Bool
  private let winner: (TransactionID) -> PurchaseKey?

  /// Starts with an empty book.
  ///
  /// - Parameters:
  ///   - customers: The order by which ties between customers are broken.
  ///   - isPlaceholder: Whether a customer id is a placeholder.
  ///   - winner: The purchase that gets an id claimed by purchases of several chains.
  public init(
    customers: CustomerOrder, isPlaceholder: @escaping (CustomerID) -> Bool,
    winner: @escaping (TransactionID) -> PurchaseKey?
  ) {
    self.customers = customers
    self.isPlaceholder = isPlaceholder
    self.winner = winner
  }

  /// The number of purchases so far.
  public var count: Int { book.purchases.count + excluded.count }

  /// Adds a chain.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of ``MergedPartition/forEachChain(_:)``.
  ///   - household: The household of the chain; `nil` in the sandbox.
  public mutating func append(_ bytes: UnsafeRawBufferPointer, household: HouseholdNumber?) {
    var reader = unsafe ByteReader(bytes)
    let head: MergedChainBytes.Head = reader.get()
    let firstRow = book.purchases.count
    let firstExcluded = excluded.count
    reader.append(head.revenueCount, to: &book.purchases)
    reader.append(head.excludedCount, to: &excluded)
    book.excludedHouseholds += repeatElement(household, count: Int(head.excludedCount))
    let firstState = book.renewalStates.count
    reader.append(head.stateCount, to: &book.renewalStates)
    let chain = head.revenueCount > 0 ? ChainPosition(book.chains.count) : nil
    for _ in 0..<head.storefrontCount {
      var observation: StorefrontObservation = reader.get()
      observation.household = household
      observation.chain = chain
      book.storefrontObservations.append(observation)
    }
    for _ in 0..<head.claimCount {
      let claim: MergedChainBytes.Claim = reader.get()
      if let key = winner(claim.transactionID), key != claim.key { continue }
      let place = Int(claim.purchase - head.revenueCount)
      if place < 0 {
        aliases.append(
          TransactionAlias(
            transactionID: claim.transactionID,
            purchase: RowPosition(firstRow + Int(claim.purchase))))
      } else {
        excludedAliases.append(
          TransactionAlias(
            transactionID: claim.transactionID, purchase: RowPosition(firstExcluded + place)))
      }
    }
    var customer = NewestCustomer()
    for _ in 0..<head.customerCount {
      let named: AccountLinks.Named = reader.get()
      if !isPlaceholder(named.customer) {
        customer.include(named.customer, age: named.age, order: customers)
      }
    }
    guard chain != nil else { return }
    book.chains.append(
      Chain(
        originalTransactionID: head.chain.id, rows: firstRow..<book.purchases.count,
        renewalStates: firstState..<book.renewalStates.count, customer: customer.value,
        household: household, beganAt: head.chain.beganAt, bundle: head.chain.bundle,
        hasBundleConflict: head.chain.hasBundleConflict))
  }

  /// Adds the storefront in a record without a row.
  public mutating func append(_ observation: StorefrontObservation, household: HouseholdNumber) {
    var observation = observation
    observation.household = household
    book.storefrontObservations.append(observation)
  }

  /// Returns the book of all added chains.
  public consuming func finish() -> PurchaseBook {
    var book = book
    book.revenueCount = book.purchases.count
    book.purchases += excluded
    let excludedOnes = excludedAliases.map { alias in
      TransactionAlias(
        transactionID: alias.transactionID,
        purchase: RowPosition(book.revenueCount + alias.purchase.index))
    }
    book.aliases = (aliases + excludedOnes).sorted { $0.transactionID < $1.transactionID }
    return book
  }
}
