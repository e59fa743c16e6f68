internal import Diagnostics
internal import Warehouse

/// The sums over the facts of a task, as rows `tally`: a name, a product, a currency, and a number.
///
/// Two names occur only in these rows, and not in the query of ``FactSums``.
enum FactSumRows {
  static let tag = "tally"

  /// The name for the number of placeholder customer ids.
  ///
  /// Every task writes this number. So the sum over all tasks is too large; it shows only whether
  /// there are any.
  static let placeholderIDs = "nobodies"
  /// The name for the price reports without an app, counted by product id, if several apps sell
  /// the id.
  static let ambiguous = "ambiguous"

  /// Writes one row for each number.
  static func write(_ sums: FactSums, to output: FilterOutput) throws(RunFailure) {
    for (key, count) in sums.counts {
      try output.row(
        tag, .word(key.name), .text(key.productID.map { Array($0.utf8) }),
        .name(key.currency), .number(Int64(count)))
    }
  }

  /// Adds the number in a row to the sums.
  static func read(_ row: inout FilterRow, into sums: inout FactSums) throws(RunFailure) {
    let name = try row.word()
    let product = try row.text().map { String(decoding: $0, as: UTF8.self) }
    let key = FactSums.Key(name, productID: product, currency: try row.name())
    sums.add(Int(try row.number()), to: key)
  }
}
