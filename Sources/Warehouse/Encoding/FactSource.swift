/// What fills one table or index of the warehouse: so many units, in the order of the keys, each of
/// which becomes a row, several or none.
struct FactSource: Sendable {
  /// What is filled.
  enum Target: Hashable, Sendable {
    /// A table that the content hash covers.
    case table(String)
    /// A table that it leaves out.
    case unhashedTable(String)
    /// An index that is built from sorted entries, each its columns and then the row's number.
    case index(String)

    /// The table's or index's name.
    var name: String {
      switch self {
      case .table(let name), .unhashedTable(let name), .index(let name): name
      }
    }
  }

  /// What is filled.
  let target: Target
  /// How many units there are.
  let units: Int
  /// Writes the rows of a range of units; called by several threads at once.
  let encode: @Sendable (Range<Int>, inout RowEncoder) throws -> Void

  /// Names what is filled, and how.
  init(
    _ target: Target, units: Int,
    encode: @escaping @Sendable (Range<Int>, inout RowEncoder) throws -> Void
  ) {
    self.target = target
    self.units = units
    self.encode = encode
  }
}

/// What takes encoded rows: sources in their order, and the rows of each in theirs.
protocol FactSink: AnyObject {
  /// Makes ready for a source's rows.
  func begin(_ target: FactSource.Target) throws
  /// Takes the next rows.
  func add(_ rows: borrowing EncodedRows) throws
  /// Ends what was begun.
  func end() throws
}
