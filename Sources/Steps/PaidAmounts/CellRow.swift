public import CivilTime
public import PurchaseModel

/// A revenue row, as a number of units in a cell of Apple's reports.
///
/// Example: one unit of `plus` in Germany without an offer, on May 10.
public struct CellRow: Hashable, BitwiseCopyable, Sendable {
  /// The cell of Apple's reports that may contain the charge.
  public var cell: SalesReportTotals.Cell
  /// The number of units; 0 for a free row, because Apple's reports cannot prove that it was free.
  public var units: Int64

  /// Creates a row from its cell and its number of units.
  public init(_ cell: SalesReportTotals.Cell, units: Int64) {
    self.cell = cell
    self.units = units
  }
}

/// The revenue rows of one chain, each with its cell in Apple's reports.
public struct ChainCells: Sendable {
  /// The original transaction id of the chain.
  public var chain: OriginalTransactionID
  /// The chain's revenue rows whose currency is known.
  public var rows: [CellRow]

  /// Creates the value from the chain's original transaction id and its rows.
  public init(chain: OriginalTransactionID, rows: [CellRow]) {
    self.chain = chain
    self.rows = rows
  }
}

/// A product on one Pacific day, or all products on that day.
public struct ProductDay: Hashable, Sendable {
  /// The product without its app; `nil` for all products.
  public var productID: ProductID?
  /// The day in Pacific time, as in Apple's reports.
  public var day: CivilDay

  /// Creates a key from a product and a day.
  public init(_ productID: ProductID?, _ day: CivilDay) {
    self.productID = productID
    self.day = day
  }
}
