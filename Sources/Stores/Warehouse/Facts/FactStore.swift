public import Deciding
public import Diagnostics
public import PriceLearning
public import PurchaseModel
internal import Synchronization
public import TemporaryFiles

/// The rows of all facts of a run, kept until they are published.
///
/// Households are added in any order by several threads; the rows are read table by table, in the
/// order of their keys.
public final class FactStore: Sendable {
  private struct State {
    var digest = ContentDigest()
    var bytes = 0
  }

  let sort: ExternalSort
  private let state = Mutex(State())

  /// Creates an empty store.
  public init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// The size in bytes of the rows that all finished writers have added.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The digest of all rows that were added so far.
  var digest: ContentDigest { state.withLock { $0.digest } }

  /// Creates a writer for one thread.
  public func writer(_ context: FactContext) -> Writer { Writer(self, context) }

  /// Encodes and adds rows for one thread.
  public final class Writer {
    private let store: FactStore
    private let sorted: ExternalSort.Writer
    private var rows: RowWriter
    private var bytes = 0

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

    /// Stores the remaining rows of this writer, and adds their size to the store.
    public func finish() throws(RunFailure) {
      try sorted.finish()
      store.state.withLock { $0.bytes += bytes }
      bytes = 0
    }

    private func deliver() throws(RunFailure) {
      for row in rows.table.rows.rows {
        let (key, record) = unsafe (rows.table.rows.key(row), rows.table.rows.record(row))
        bytes += key.count + record.count
        try unsafe sorted.add(key: key, value: record)
      }
      let digest = rows.table.rows.digest
      store.state.withLock { $0.digest.add(digest) }
      rows.removeAll()
    }
  }
}
