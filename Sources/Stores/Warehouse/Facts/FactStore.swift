public import CivilTime
public import Deciding
public import Diagnostics
internal import PaidAmounts
public import PriceLearning
public import PurchaseModel
internal import Purchases
internal import Synchronization
public import TemporaryFiles

/// The totals of all rows for `audit_run`, known before the rows are written.
public struct FactTotals: Hashable, BitwiseCopyable, Sendable {
  /// The number of revenue rows.
  public internal(set) var revenue = 0
  /// The number of chargeable rows: rows whose status is not `zero_by_rule`.
  public internal(set) var chargeable = 0
  /// The number of chargeable rows with an amount.
  public internal(set) var known = 0
  /// The number of chargeable rows with an exact amount.
  public internal(set) var exact = 0
  /// The time of the first purchase; `nil` without a revenue row.
  public internal(set) var firstPurchaseAt: Instant?
  /// The size of all rows in bytes.
  public internal(set) var bytes = 0

  /// Creates totals of zeros.
  public init() {}

  /// Rebuilds the totals from ``numbers``; `nil` for a wrong number of values.
  public init?(_ numbers: [Int64?]) {
    guard numbers.count == 6 else { return nil }
    (revenue, chargeable) = (Int(numbers[0] ?? 0), Int(numbers[1] ?? 0))
    (known, exact) = (Int(numbers[2] ?? 0), Int(numbers[3] ?? 0))
    firstPurchaseAt = numbers[4].map(Instant.init(milliseconds:))
    bytes = Int(numbers[5] ?? 0)
  }

  /// The totals as a list, stored for the next run.
  public var numbers: [Int64?] {
    [
      Int64(revenue), Int64(chargeable), Int64(known), Int64(exact), firstPurchaseAt?.milliseconds,
      Int64(bytes),
    ]
  }

  /// Adds the totals of other rows.
  public mutating func add(_ other: FactTotals) {
    revenue += other.revenue
    chargeable += other.chargeable
    known += other.known
    exact += other.exact
    firstPurchaseAt = [firstPurchaseAt, other.firstPurchaseAt].compactMap(\.self).min()
    bytes += other.bytes
  }

  /// Subtracts the totals of other rows, but does not change the time of the first purchase.
  public mutating func remove(_ other: FactTotals) {
    revenue -= other.revenue
    chargeable -= other.chargeable
    known -= other.known
    exact -= other.exact
    bytes -= other.bytes
  }
}

/// The rows of all facts of a run, kept until they are published.
///
/// Households are added in any order by several threads; the rows are read table by table, in the
/// order of their keys.
public final class FactStore: Sendable {
  private struct State {
    var digest = ContentDigest()
    var totals = FactTotals()
  }

  let sort: ExternalSort
  private let state = Mutex(State())

  /// Creates an empty store.
  public init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// The totals of the rows that all finished writers have added.
  public var totals: FactTotals { state.withLock { $0.totals } }

  /// The digest of all rows that were added so far.
  var digest: ContentDigest { state.withLock { $0.digest } }

  /// Creates a writer for one thread.
  public func writer(_ context: FactContext) -> Writer { Writer(self, context) }

  /// Encodes and adds rows for one thread.
  public final class Writer {
    private let store: FactStore
    private let sorted: ExternalSort.Writer
    private var rows: RowWriter
    private var totals = FactTotals()

    fileprivate init(_ store: FactStore, _ context: FactContext) {
      self.store = store
      sorted = store.sort.writer()
      rows = RowWriter(context)
    }

    /// Adds all rows of some households.
    public func add(_ decided: DecidedHouseholds) throws(RunFailure) {
      do {
        try rows.write(decided)
      } catch {
        throw RunFailure(
          .invariantBroken,
          "amount overflow in the rows of the facts: \(error). This is a bug, please report it.")
      }
      count(decided)
      try deliver()
    }

    /// Adds the rows that belong to no household: products and prices.
    public func add(
      _ intervals: some Sequence<PriceInterval>, reported: some Sequence<ProductID>
    ) throws(RunFailure) {
      rows.writeProducts(reported: Set(reported))
      for interval in intervals { rows.write(interval) }
      try deliver()
    }

    /// Stores the remaining rows of this writer, and adds its totals to the store.
    public func finish() throws(RunFailure) {
      try sorted.finish()
      store.state.withLock { $0.totals.add(totals) }
      totals = FactTotals()
    }

    private func count(_ decided: DecidedHouseholds) {
      for (row, amount) in decided.amounts.amounts.enumerated() {
        totals.revenue += 1
        let at = decided.purchases.purchases[row].purchasedAt
        totals.firstPurchaseAt = totals.firstPurchaseAt.map { min($0, at) } ?? at
        guard amount.status != .zeroByRule else { continue }
        totals.chargeable += 1
        if amount.paid != nil { totals.known += 1 }
        if amount.status == .exact { totals.exact += 1 }
      }
    }

    private func deliver() throws(RunFailure) {
      for row in rows.table.rows.rows {
        let (key, record) = unsafe (rows.table.rows.key(row), rows.table.rows.record(row))
        totals.bytes += key.count + record.count
        try unsafe sorted.add(key: key, value: record)
      }
      let digest = rows.table.rows.digest
      store.state.withLock { $0.digest.add(digest) }
      rows.removeAll()
    }
  }
}
