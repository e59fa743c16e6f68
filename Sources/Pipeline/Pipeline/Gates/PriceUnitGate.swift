internal import Diagnostics
internal import Warehouse

/// The gate `price_unit`: price reports seem to use another unit than the pipeline states.
///
/// The gate looks for two signs, in each new file with at least three reports, and in all files
/// together:
/// - Most prices of a product are 100 or 1,000 times as high or as low as in the catalogue or in
///   other reports, with a tolerance of a twentieth.
/// - All prices in currencies with decimals are whole numbers, and most have three digits or more.
///   This sign is used only if the entry does not state the unit.
///
/// The gate stops the run if the entry does not state the unit, and if either most of all prices of
/// the file are such multiples, or whole prices include US dollars, euros, pounds or francs.
/// Otherwise it warns.
///
/// Example: every line has a price such as `{"currency":"USD","price":999}`, but `price_unit:
/// minor` is missing.
struct PriceUnitGate {
  /// The new files, each of which is checked separately, with their ids in state.db.
  let files: [(id: Int64, name: String)]
  /// Whether the pipeline states the unit of its prices.
  let isUnitNamed: Bool
  /// Whether the entry of a file states the unit of its prices.
  var namesUnit: (_ name: String) -> Bool = { _ in false }

  /// The smallest number of reports that a single file needs to be checked.
  static let fewestReports = 3

  /// Returns findings for prices that seem to be in another unit than the pipeline states.
  func findings(_ sums: PriceUnitSums) -> [GateFinding] {
    var odd = Signs()
    var whole = Signs()
    let measured = files.compactMap { file in
      sums.files[file.id].map {
        (
          name: file.name, fewest: Self.fewestReports,
          isNamed: isUnitNamed || namesUnit(file.name), account: $0
        )
      }
    }
    for (name, fewest, isNamed, account) in measured + [("all files", 1, isUnitNamed, sums.all)] {
      let (total, few) = (account.total, Self.fewestReports)
      for (product, count) in account.products.sorted(by: { $0.key < $1.key })
      where count.reports >= fewest && count.multiples * 2 > count.reports {
        let text = OneLine.text(product.productID)
        odd.note(
          name, subject: "\(name) \(text)",
          found:
            "\(count.multiples) of \(Count.text(count.reports, "price")) are 100 or 1000 times too "
            + "high or too low", expected: "prices as in the catalogue or in other reports",
          product: text,
          isCertain: !isNamed && total.reports >= few && total.multiples * 2 > total.reports)
      }
      if !isNamed, !odd.has(name), account.decimalPrices >= fewest, account.areAllWhole {
        whole.note(
          name, subject: name,
          found: "all \(Count.text(account.decimalPrices, "price")) are whole numbers",
          expected: "prices with decimals",
          isCertain: account.decimalPrices >= few && account.areCertainlyWhole)
      }
    }
    return [
      odd.finding(
        "most prices of \(odd.productText) in \(odd.placeText) are 100 or 1000 times higher or "
          + "lower than in the catalogue or in other reports, and decide no amount",
        fault: "price_unit multiples"),
      whole.finding(
        "all prices in \(whole.placeText) are whole numbers, most of three digits or more, as if "
          + "they were cents or thousandths, but are read as main units: 999 as 999.00",
        fault: "price_unit whole_numbers"),
    ].compactMap(\.self)
  }
}

/// The files that show one of the two signs of a wrong unit.
private struct Signs {
  private var items: [GateFinding.Item] = []
  private var places: [String] = []
  private var products: Set<String> = []
  private var isCertain = false

  mutating func note(
    _ place: String, subject: String, found: String, expected: String, product: String? = nil,
    isCertain: Bool
  ) {
    if isCertain { self.isCertain = true }
    items.append(GateFinding.Item(subject: subject, found: found, expected: expected))
    if places.last != place { places.append(place) }
    if let product { products.insert(product) }
  }

  /// Returns true if the given file shows the sign.
  func has(_ place: String) -> Bool { places.contains(place) }

  var productText: String { products.sorted().joined(separator: ", ") }

  /// The first file with the sign, and the number of other files: `a.json and 2 more files`.
  ///
  /// The text is `all files` if no single file shows the sign.
  var placeText: String {
    let named = places.filter { $0 != "all files" }
    guard let first = named.first else { return "all files" }
    return OneLine.text(first)
      + (named.count > 1 ? " and \(Count.text(named.count - 1, "more file"))" : "")
  }

  func finding(_ message: String, fault: String) -> GateFinding? {
    guard !items.isEmpty else { return nil }
    var finding = GateFinding(
      .priceUnit, items,
      message: message
        + ". Set price_unit, under inputs or in the entry of these files, to main, minor, "
        + "thousandth or micro; the next run reads the files again.",
      fault: fault)
    finding.trips = isCertain
    finding.duration = .standing
    finding.page = .inputs
    return finding
  }
}
