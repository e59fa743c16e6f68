internal import Amounts
internal import AppleReports
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Reconciling

/// The units in each cell of Apple's reports, from the rows of all tasks of a cluster's job.
///
/// A row `cell` has the units at one price in Apple's reports. A row `checked` has the units in a
/// single report. A row `counted` has the units in the facts. The rows may be in any order.
struct CellRows {
  /// The tags of the rows that `book` and `count` write about cells.
  static let tags: Set<String> = ["cell", "checked", "counted"]

  /// A cell of Apple's reports; product and offer are texts, because symbols differ from task to
  /// task.
  private struct Place {
    var day: CivilDay
    var productID: String
    var storefront: Storefront?
    var currency: Currency
    var offer: AppleOffer
  }

  private var charges: [(charge: AppleCharge, units: Int64)] = []
  private var counts: [(place: Place, units: Int64)] = []
  private var check = ReportCheck()

  /// Writes a row `cell`: the units at one price in Apple's reports.
  static func write(_ charge: AppleCharge, units: Int64, to output: FilterOutput)
    throws(RunFailure)
  {
    let place = Place(
      day: charge.day, productID: charge.productID, storefront: charge.storefront,
      currency: charge.currency, offer: charge.offer)
    try output.row(
      "cell",
      fields(place) + [
        .number(charge.price.rawValue), .number(units), .number(charge.proceeds?.rawValue),
        .name(charge.proceedsCurrency?.code), .flag(charge.isSettlement),
      ])
  }

  /// Writes a row `checked`: the units of one report, to be compared with the units of other
  /// reports.
  static func write(_ entry: ReportCheck.Entry, units: Int64, to output: FilterOutput)
    throws(RunFailure)
  {
    try output.row(
      "checked", .word(entry.place.day.text), .name(entry.place.productID),
      .name(entry.place.storefront?.code), .word(entry.currency.code),
      .word(entry.report.rawValue), .word(entry.reportDay.text), .number(entry.price),
      .flag(entry.isRefund), .flag(entry.isSubscription), .number(units))
  }

  private static func checked(_ row: inout FilterRow) throws(RunFailure) -> ReportCheck.Entry {
    let day = try row.day()
    guard let product = try row.name() else { throw row.failure("a product") }
    let storefront = try row.storefront()
    guard let currency = try row.currency() else { throw row.failure("a currency") }
    guard let report = AppleReport(rawValue: try row.word()) else {
      throw row.failure("one of Apple's reports")
    }
    return ReportCheck.Entry(
      report: report, reportDay: try row.day(),
      place: ReportCheck.Place(day: day, productID: product, storefront: storefront),
      currency: currency, price: try row.number(), isRefund: try row.flag(),
      isSubscription: try row.flag())
  }

  /// Writes rows `counted`: the units in the facts, one row per cell.
  static func write(
    _ counts: [SalesReportTotals.Cell: Int64], _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    for (cell, units) in counts {
      let offer: AppleOffer =
        switch cell.offer {
        case .none: .none
        case .introductory: .introductory
        case .named(let id): .named(String(decoding: symbols.utf8(id.symbol), as: UTF8.self))
        }
      let place = Place(
        day: cell.day,
        productID: String(decoding: symbols.utf8(cell.productID.symbol), as: UTF8.self),
        storefront: cell.storefront, currency: cell.currency, offer: offer)
      try output.row("counted", fields(place) + [.number(units)])
    }
  }

  private static func fields(_ place: Place) -> [FilterField] {
    [
      .word(place.day.text), .name(place.productID), .name(place.storefront?.code),
      .word(place.currency.code), .name(place.offer.text),
    ]
  }

  /// Adds up the rows of all tasks.
  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows {
      guard row.tag != "checked" else {
        let entry = try Self.checked(&row)
        check.add(entry, units: try row.number())
        continue
      }
      let place = try Self.place(&row)
      guard row.tag == "cell" else {
        counts.append((place, try row.number()))
        continue
      }
      guard let storefront = place.storefront else { throw row.failure("a storefront") }
      var charge = AppleCharge(
        day: place.day, productID: place.productID, storefront: storefront,
        currency: place.currency, offer: place.offer, price: Milliunits(try row.number()))
      let units = try row.number()
      charge.proceeds = try row.optionalNumber().map(Milliunits.init)
      charge.proceedsCurrency = try row.currency()
      charge.isSettlement = try row.flag()
      charges.append((charge, units))
    }
  }

  private static func place(_ row: inout FilterRow) throws(RunFailure) -> Place {
    let day = try row.day()
    guard let product = try row.name() else { throw row.failure("a product") }
    let storefront = try row.storefront()
    guard let currency = try row.currency() else { throw row.failure("a currency") }
    return Place(
      day: day, productID: product, storefront: storefront, currency: currency,
      offer: AppleOffer(text: try row.name()))
  }

  /// Returns the cells with the units in Apple's reports and the units in the facts.
  ///
  /// Cells of products that are not in the symbol table are left out.
  func cells(_ appleReports: ReconciledReports, _ symbols: SymbolTable) -> SalesReportTotals {
    var cells = SalesReportTotals(appleReports, symbols)
    for (charge, units) in charges { cells.add(units, charge, symbols) }
    cells.doubt(
      check.doubts(subscriberDays: appleReports.subscriberDays, salesDays: appleReports.salesDays),
      symbols)
    for (place, units) in counts {
      let cell = SalesReportTotals.Cell(
        day: place.day, productID: place.productID, storefront: place.storefront,
        currency: place.currency, offer: place.offer, symbols)
      if let cell { cells.count(CellRow(cell, units: units)) }
    }
    return cells
  }
}
