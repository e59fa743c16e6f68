public import CivilTime
public import PurchaseModel

/// A row of the facts in its cell of Apple's reports.
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

/// The rows of one chain in the cells of Apple's reports.
public struct ChainCells: Sendable {
  /// The original transaction id of the chain.
  public var chain: OriginalTransactionID
  /// The rows with a known currency.
  public var rows: [CellRow]

  /// Creates the rows of a chain from its original transaction id.
  public init(chain: OriginalTransactionID, rows: [CellRow]) {
    self.chain = chain
    self.rows = rows
  }
}

/// A product on one day in Pacific time, or the day with all products.
public struct ProductDay: Hashable, Sendable {
  /// The product without its app; `nil` for all products.
  public var productID: ProductID?
  /// The day in Pacific time, as in Apple's reports.
  public var day: CivilDay

  /// Creates the day of a product.
  public init(_ productID: ProductID?, _ day: CivilDay) {
    self.productID = productID
    self.day = day
  }
}
