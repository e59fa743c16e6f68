public import Deciding
public import Diagnostics
public import PriceLearning
public import PurchaseModel
public import Reconciling

/// The rows of facts as JSON objects, one per line: the output of a process without a warehouse.
///
/// Several processes may write parts of the rows. The sum of their digests is the `content_digest`
/// of all rows. Example of a row: `{"purchase_key":1722965520899826170,…,"paid_milli":9990,…}`.
public struct FactLines: ~Copyable {
  private var rows: RowWriter
  private let columns: [String: [WarehouseLayout.Column]]
  private var sum = ContentDigest()
  private let context: FactContext
  /// The sums over the rows that ``drain(_:)`` has delivered so far.
  public private(set) var sums: TaskSums

  /// Creates an output without rows.
  ///
  /// - Parameter appleReports: Apple's reports; `nil` if there are none.
  /// - Throws: ``RunFailure`` if the schema cannot be read, which is a bug.
  public init(_ context: FactContext, near appleReports: ReconciledReports? = nil)
    throws(RunFailure)
  {
    self.context = context
    sums = TaskSums(near: appleReports)
    rows = RowWriter(context)
    columns = try WarehouseLayout.columns()
  }

  /// The digest of the rows that ``drain(_:)`` has delivered so far: 64 hexadecimal digits.
  public var digest: String { sum.hexadecimal }

  /// Adds up the digests of several outputs; `nil` if a text is not a digest.
  public static func sum(of digests: [String]) -> String? {
    var sum = ContentDigest()
    for text in digests {
      guard let digest = ContentDigest(hexadecimal: text) else { return nil }
      sum.add(digest)
    }
    return sum.hexadecimal
  }

  /// Adds all rows of some households.
  public mutating func add(_ decided: borrowing DecidedHouseholds) throws(RunFailure) {
    do {
      try rows.write(decided)
    } catch {
      throw RunFailure(
        .invariantBroken,
        "amount overflow in the rows of the facts: \(error). This is a bug, please report it.")
    }
    sums.add(decided, context)
  }

  /// Adds the rows that belong to no household: products and prices.
  public mutating func add(
    _ intervals: some Sequence<PriceInterval>, reported: some Sequence<ProductID>
  ) {
    rows.writeProducts(reported: Set(reported))
    for interval in intervals { rows.write(interval) }
  }

  /// Passes the added rows to `body`, and removes them.
  public mutating func drain(
    _ body: (_ table: String, _ row: [UInt8]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    for row in rows.table.rows.rows {
      let text = unsafe Self.text(
        columns[row.table.name] ?? [], of: rows.table.rows.record(row),
        key: row.table.hasNumberAsKey ? unsafe SortKey.number(rows.table.rows.key(row)) : nil)
      try body(row.table.name, text)
    }
    sum.add(rows.table.rows.digest)
    try sums.add(rows.table.rows)
    rows.removeAll()
  }

  private static func text(
    _ columns: [WarehouseLayout.Column], of record: UnsafeRawBufferPointer, key: Int64?
  ) -> [UInt8] {
    var row = JSONRow()
    var cursor = unsafe RecordCursor(record)
    for (position, column) in columns.enumerated() {
      let value = unsafe cursor.next() ?? .null
      if position == 0, let key {
        row.add(column.name, key)
        continue
      }
      switch unsafe value {
      case .null: row.add(column.name, Int64?.none)
      case .integer(let number): row.add(column.name, number)
      case .text(let bytes): unsafe row.add(column.name, utf8: bytes)
      }
    }
    return row.text
  }
}
