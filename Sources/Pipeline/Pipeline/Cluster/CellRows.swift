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
    var day = CivilDay.none
    var productID = ""
    var storefront: Storefront?
    var currency = Currency(rawValue: 0)
    var offer = AppleOffer.none
    var units: Int64 = 0

    mutating func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code("day", &day)
      try coder.code("product_id", &productID)
      try coder.code("storefront", &storefront)
      try coder.code("currency", &currency)
      try coder.code("offer", &offer)
      try coder.code("units", &units)
    }
  }

  private var charges: [(charge: AppleCharge, units: Int64)] = []
  private var counts: [Place] = []
  private var check = ReportCheck()

  /// Writes a row `cell`: the units at one price in Apple's reports.
  static func write(_ charge: AppleCharge, units: Int64, to output: FilterOutput)
    throws(RunFailure)
  {
    var (writer, charge, units) = (FieldWriter(), charge, units)
    charge.coded(units: &units, by: &writer)
    try output.row("cell", writer.fields)
  }

  /// Writes a row `checked`: the units of one report, to be compared with the units of other
  /// reports.
  static func write(_ entry: ReportCheck.Entry, units: Int64, to output: FilterOutput)
    throws(RunFailure)
  {
    var (writer, entry, units) = (FieldWriter(), entry, units)
    entry.coded(units: &units, by: &writer)
    try output.row("checked", writer.fields)
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
      var place = Place(
        day: cell.day,
        productID: String(decoding: symbols.utf8(cell.productID.symbol), as: UTF8.self),
        storefront: cell.storefront, currency: cell.currency, offer: offer, units: units)
      var writer = FieldWriter()
      place.coded(by: &writer)
      try output.row("counted", writer.fields)
    }
  }

  /// Adds up the rows of all tasks.
  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows {
      var units: Int64 = 0
      switch row.tag {
      case "checked":
        var entry = ReportCheck.Entry(
          report: .sales, reportDay: .none,
          place: ReportCheck.Place(day: .none, productID: "", storefront: nil),
          currency: Currency(rawValue: 0), price: 0, isRefund: false, isSubscription: false)
        try entry.coded(units: &units, by: &row)
        check.add(entry, units: units)
      case "cell":
        var charge = AppleCharge(
          day: .none, productID: "", storefront: Storefront(rawValue: 0),
          currency: Currency(rawValue: 0), offer: .none, price: .zero)
        try charge.coded(units: &units, by: &row)
        charges.append((charge, units))
      default:
        var place = Place()
        try place.coded(by: &row)
        counts.append(place)
      }
    }
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
    for place in counts {
      let cell = SalesReportTotals.Cell(
        day: place.day, productID: place.productID, storefront: place.storefront,
        currency: place.currency, offer: place.offer, symbols)
      if let cell { cells.count(CellRow(cell, units: place.units)) }
    }
    return cells
  }
}

extension CivilDay {
  /// The day of a row before the row is read.
  fileprivate static let none = CivilDay(daysSinceEpoch: 0)
}

extension AppleCharge {
  fileprivate mutating func coded<Coder: FieldCoder>(
    units: inout Int64, by coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code("day", &day)
    try coder.code("product_id", &productID)
    try coder.code("storefront", &storefront)
    try coder.code("currency", &currency)
    try coder.code("offer", &offer)
    try coder.code("price_milli", &price)
    try coder.code("units", &units)
    try coder.code("proceeds_milli", &proceeds)
    try coder.code("proceeds_currency", &proceedsCurrency)
    try coder.code("is_settlement", &isSettlement)
  }
}

extension ReportCheck.Entry {
  fileprivate mutating func coded<Coder: FieldCoder>(
    units: inout Int64, by coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code("day", &place.day)
    try coder.code("product_id", &place.productID)
    try coder.code("storefront", &place.storefront)
    try coder.code("currency", &currency)
    try coder.code("report", &report)
    try coder.code("report_date", &reportDay)
    try coder.code("price_milli", &price)
    try coder.code("is_refund", &isRefund)
    try coder.code("is_subscription", &isSubscription)
    try coder.code("units", &units)
  }
}
