internal import Amounts
internal import Diagnostics
internal import Warehouse

/// The sums over the facts of a task.
///
/// A row `tally` has a name, a product, a currency, and a number. A row `reported` has the numbers
/// of price reports of a file, product and currency. A row `amount` has one of the amounts in a
/// file, and a row `unclaimed` the numbers of its reports whose transaction id no purchase has, and
/// of those in a wrong storefront. Two names occur only in these rows, and not in the query of
/// ``FactSums``.
enum FactSumRows {
  static let tag = "tally"
  /// The tags of the rows about price reports.
  static let reportTags = ["amount", "reported", "unclaimed"]

  /// The name for the number of placeholder customer ids.
  ///
  /// Every task writes this number. So the sum over all tasks is too large; it shows only whether
  /// there are any.
  static let placeholderIDs = "placeholder_ids"
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

  /// Writes the sums of a task.
  static func write(_ sums: TaskSums, to output: FilterOutput) throws(RunFailure) {
    try write(sums.facts, to: output)
    for (group, count) in sums.groups {
      try output.row(
        "reported", .number(group.file), .name(group.product.productID),
        .name(group.product.bundleID), .word(group.currency), .number(Int64(count.reports)),
        .number(Int64(count.multiples)), .number(Int64(count.prices)),
        .number(Int64(count.wholePrices)), .number(Int64(count.longPrices)))
    }
    for amount in sums.amounts {
      try output.row(
        "amount", .number(amount.file), .number(amount.price.rawValue),
        .word(amount.currency.code))
    }
    for file in Set(sums.unknownTransactions.keys).union(sums.wrongPlaces.keys) {
      try output.row(
        "unclaimed", .number(file), .number(Int64(sums.unknownTransactions[file] ?? 0)),
        .number(Int64(sums.wrongPlaces[file] ?? 0)))
    }
  }

  /// Adds the numbers in a row about price reports.
  static func read(_ row: inout FilterRow, into sums: inout PriceUnitSums) throws(RunFailure) {
    let file = try row.number()
    var reports = ReportFileSums()
    switch row.tag {
    case "reported":
      let product = PriceUnitSums.Product(
        productID: try row.name() ?? "", bundleID: try row.name())
      var group = PriceUnitSums.Group(file: file, product: product, currency: try row.word())
      var count = PriceUnitSums.GroupCount()
      (count.reports, count.multiples) = (Int(try row.number()), Int(try row.number()))
      (count.prices, count.wholePrices) = (Int(try row.number()), Int(try row.number()))
      count.longPrices = Int(try row.number())
      sums.add(count, of: group)
      group.file = nil
      sums.add(count, of: group)
      reports.reports = count.reports
    case "amount":
      let price = Milliunits(try row.number())
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      reports.endings.add(price, currency)
    default:
      reports.unknownTransactions = Int(try row.number())
      reports.wrongPlaces = Int(try row.number())
    }
    sums.add(reports, ofFile: file)
  }
}
