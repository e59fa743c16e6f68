internal import Amounts
internal import Diagnostics
internal import PurchaseModel
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
      try output.row(ReportedRow(group: group, count: count))
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
    var reports = ReportFileSums()
    guard row.tag != ReportedRow.tag else {
      var reported = try row.read(ReportedRow.self)
      guard let file = reported.group.file else { throw row.failure("the position of a file") }
      sums.add(reported.count, of: reported.group)
      reported.group.file = nil
      sums.add(reported.count, of: reported.group)
      reports.reports = reported.count.reports
      return sums.add(reports, ofFile: file)
    }
    let file = try row.number()
    if row.tag == "amount" {
      let price = Milliunits(try row.number())
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      reports.endings.add(price, currency)
    } else {
      reports.unknownTransactions = Int(try row.number())
      reports.wrongPlaces = Int(try row.number())
    }
    sums.add(reports, ofFile: file)
  }
}

/// The numbers of the price reports of a file, product and currency.
private struct ReportedRow: CodedRow {
  static let tag = "reported"
  var group = PriceUnitSums.Group(
    file: nil, product: PriceUnitSums.Product(productID: "", bundleID: nil), currency: "")
  var count = PriceUnitSums.GroupCount()

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("file", &group.file)
    try coder.code("product_id", &group.product.productID)
    try coder.code("app", &group.product.bundleID)
    try coder.code("currency", &group.currency)
    try coder.code("reports", number: &count.reports)
    try coder.code("multiples", number: &count.multiples)
    try coder.code("prices", number: &count.prices)
    try coder.code("whole_prices", number: &count.wholePrices)
    try coder.code("long_prices", number: &count.longPrices)
  }
}
