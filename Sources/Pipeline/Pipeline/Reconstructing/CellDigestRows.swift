internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel

/// Encodes the hashes of the cells of Apple's reports as rows, and decodes them.
///
/// There are two kinds of rows:
/// - `cells`: a product, a day, and the hash of the product's cells on that day,
/// - `day`: a day with a report, and a hash that shows which kinds of reports the day has.
///
/// The first row of the kind `day` has empty fields. It shows that Apple's reports exist, even if
/// they have no cell.
enum CellDigestRows {
  /// Writes the hashes, sorted by product and day.
  static func write(
    _ digests: [ProductDay: UInt64], _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    try output.row("day", .number(nil), .number(nil))
    let places = digests.keys.sorted {
      ($0.productID.map { Int64($0.symbol.rawValue) } ?? -1, $0.day)
        < ($1.productID.map { Int64($0.symbol.rawValue) } ?? -1, $1.day)
    }
    for place in places {
      let values: [FilterField] = [
        .number(place.day.daysSinceEpoch),
        .number(digests[place].map { Int64(bitPattern: $0) }),
      ]
      if let product = place.productID {
        try output.row("cells", FilterField.product(product, symbols) + values)
      } else {
        try output.row("day", values)
      }
    }
  }

  /// Reads a row `cells` or `day`.
  ///
  /// - Returns: The product and day of the row, with their hash. In a row `day` the product is
  ///   `nil`. In the empty row `day`, `place` is `nil`.
  static func read(_ row: inout FilterRow, in symbols: inout SymbolTable) throws(RunFailure)
    -> (place: ProductDay?, digest: UInt64)
  {
    let product = row.tag == "cells" ? try row.product(in: &symbols) : nil
    guard let day = try row.optionalNumber(), let digest = try row.optionalNumber() else {
      return (nil, 0)
    }
    return (
      ProductDay(product, CivilDay(daysSinceEpoch: day)), UInt64(bitPattern: digest)
    )
  }
}
