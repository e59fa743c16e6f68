internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Reads the lines of a report after its header.
struct ReportLines {
  let report: AppleReport
  let header: ReportHeader
  /// The day in the file's name, for the report without a date column.
  let exportDay: CivilDay?
  /// The first day of the fiscal month of Finance Detail, from the lines before the header.
  var firstDay: CivilDay?

  /// Reads a line; `nil` if it does not concern an in-app purchase.
  ///
  /// - Throws: ``CellFault`` for a line that cannot be read.
  func line(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    switch report {
    case .sales: try sales(row, at: number)
    case .subscriber: try subscriber(row, at: number)
    case .subscriptionEvent: try event(row, at: number)
    case .subscription: try stock(row, at: number)
    case .financial: try financial(row, at: number)
    case .financeDetail: try detail(row, at: number)
    }
  }

  private func sales(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard Self.isPurchase(try row.required("product type identifier")) else { return nil }
    let day = try row.day("begin date")
    guard try row.day("end date") == day else {
      throw CellFault(reason: .reportNotDaily, detail: "end date")
    }
    var line = try priced(
      row, at: number, day: day, units: try row.number("units"), isRefund: false)
    line.productID = try row.required("sku")
    line.appleID = row.text("apple identifier")
    line.app = row.text("parent identifier")
    line.offer = Self.orderedOffer(row)
    line.isRenewal = row.text("subscription").map { $0.lowercased() == "renewal" }
    line.isPreserved = row.flag("preserved pricing", isKnown: header.has("preserved pricing"))
    return line
  }

  private func subscriber(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    let isRefund = row.flag("refund", isKnown: true) ?? false
    var line = try priced(
      row, at: number, day: try row.day("event date"),
      units: header.has("units") ? try row.number("units") : isRefund ? -1 : 1, isRefund: isRefund)
    line.appleID = try row.required("subscription apple id")
    line.app = row.text("app apple id")
    line.offer = Self.offer(row)
    line.isPreserved = row.flag("preserved pricing", isKnown: header.has("preserved pricing"))
    line.subscriber = row.text("subscriber id")
    if line.isRefund, row.text("purchase date") != nil {
      line.purchaseDay = try row.day("purchase date")
    }
    return line
  }

  private func event(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    let name = try row.required("event")
    let event = name.lowercased()
    var line = AppleReportLine(
      line: number, report: report, day: try row.day("event date"),
      storefront: try row.value("country") { Storefront($0) },
      units: try row.number("quantity"), isRefund: event == "refund")
    line.appleID = try row.required("subscription apple id")
    line.app = row.text("app apple id")
    line.event = name
    line.offer = Self.offer(row)
    line.isRenewal = event == "renew" || event == "renewal from billing retry"
    line.isPreserved = row.flag("preserved pricing", isKnown: header.has("preserved pricing"))
    return line
  }

  private func stock(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    guard let exportDay else {
      throw CellFault(reason: .reportNotDaily, detail: "day of the file's name")
    }
    var line = AppleReportLine(
      line: number, report: report, day: exportDay,
      storefront: try row.value("country") { Storefront($0) },
      units: try running(row))
    line.appleID = try row.required("subscription apple id")
    line.app = row.text("app apple id")
    line.currency = try row.value("customer currency") { Currency($0) }
    line.unitPrice = try row.amount("customer price")
    line.offer = Self.offer(row)
    line.isPreserved = row.flag("preserved pricing", isKnown: header.has("preserved pricing"))
    return line
  }

  /// The number of running paid subscriptions in a line: at the standard price and with paid
  /// offers.
  ///
  /// Excludes free trials, grace periods and billing retry, which are not paid for.
  private func running(_ row: ReportRow) throws(CellFault) -> Int64 {
    var sum = try row.number("active standard price subscriptions")
    for name in header.names
    where name != "active standard price subscriptions"
      && (name.hasSuffix(" subscriptions") || name.hasSuffix(" win-back offers"))
      && !name.contains("free trial") && row.text(name) != nil
    {
      sum += try row.number(name)
    }
    return sum
  }

  private func financial(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard Self.isPurchase(try row.required("product type identifier")) else { return nil }
    let (day, units) = (try row.day("end date"), try row.number("quantity"))
    let isRefund = row.text("sales or return")?.lowercased() == "r"
    var line: AppleReportLine
    if header.has("customer price") {
      line = try priced(row, at: number, day: day, units: units, isRefund: isRefund)
    } else {
      line = AppleReportLine(
        line: number, report: report, day: day,
        storefront: try row.value("country") { Storefront($0) }, units: units,
        isRefund: isRefund || units < 0)
    }
    line.productID = try row.required("vendor identifier")
    line.appleID = row.text("apple identifier")
    if let code = row.text("promo code") { line.offer = .named(code) }
    return line
  }

  private func detail(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard Self.isPurchase(try row.required("product type identifier")) else { return nil }
    let isRefund = row.text("sales or return")?.lowercased() == "r"
    var line = try priced(
      row, at: number, day: try row.day("transaction date"), units: try row.number("quantity"),
      isRefund: isRefund)
    line.settledOn = try row.day("settlement date")
    line.isSettledLater = firstDay.map { line.day < $0 }
    line.productID = try row.required("sku")
    line.appleID = row.text("apple identifier")
    line.offer = Self.orderedOffer(row)
    return line
  }

  /// The offer: by the promo code, else by the type of the order.
  private static func orderedOffer(_ row: ReportRow) -> AppleOffer {
    if let code = row.text("promo code") { return .named(code) }
    guard let type = row.text("order type")?.lowercased() else { return .none }
    return type.contains("intro") || type.contains("trial") ? .introductory : .named(type)
  }

  /// Reads a line with a price: per unit, or of the whole amount where Units is 0; negative for
  /// refunds.
  private func priced(
    _ row: ReportRow, at number: Int, day: CivilDay, units: Int64, isRefund: Bool
  ) throws(CellFault) -> AppleReportLine {
    let price = try row.amount("customer price")
    let isBack = isRefund || units < 0 || price < .zero
    let size = price.rawValue.magnitude
    let (amount, overflow) = size.multipliedReportingOverflow(by: max(1, units.magnitude))
    guard !overflow, amount <= Self.mostMoney else {
      throw CellFault(reason: .reportFieldInvalid, detail: "customer price")
    }
    let sign: Int64 = isBack ? -1 : 1
    var line = AppleReportLine(
      line: number, report: report, day: day,
      storefront: try row.value("country") { Storefront($0) },
      units: sign * Int64(units.magnitude), amount: Milliunits(sign * Int64(amount)),
      isRefund: isBack)
    line.currency = try row.value("customer currency") { Currency($0) }
    line.unitPrice = units == 0 ? nil : Milliunits(Int64(size))
    let (share, currency) =
      header.has("partner share")
      ? ("partner share", "partner share currency")
      : (
        "developer proceeds",
        header.has("proceeds currency") ? "proceeds currency" : "currency of proceeds"
      )
    if let proceeds = try? row.amount(share), proceeds.rawValue.magnitude <= Self.mostMoney,
      let code = row.text(currency).flatMap({ Currency($0) })
    {
      line.proceeds = Milliunits(abs(proceeds.rawValue))
      line.proceedsCurrency = code
    }
    return line
  }

  /// The largest amount of a line, in thousandths: a million millions of a currency, so that sums
  /// of lines cannot overflow.
  private static let mostMoney: UInt64 = 1_000_000_000_000_000

  /// The offer of a subscription's line: a named offer, the introductory offer, or no offer.
  private static func offer(_ row: ReportRow) -> AppleOffer {
    if let id = row.text("promotional offer id") ?? row.text("subscription offer name") {
      return .named(id)
    }
    return row.text("subscription offer type") == nil ? .none : .introductory
  }

  /// Whether a product type is an in-app purchase with a price; `IA3` are restored purchases.
  private static func isPurchase(_ type: String) -> Bool {
    (type.hasPrefix("IA") || type.hasPrefix("FI")) && type != "IA3"
  }
}
