internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Reads the lines of a report that follow the header.
struct ReportLines {
  let report: AppleReport
  let header: ReportHeader
  /// The day in the file's name, for the Subscription report, which has no date column.
  let exportDay: CivilDay?
  /// The first day of a Finance Detail report's fiscal month, from the lines before the header.
  var firstDay: CivilDay?

  /// Reads a line; `nil` if it is not about an in-app purchase.
  func line(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    switch report {
    case .sales: try sales(row, at: number)
    case .subscriber: try subscriber(row, at: number)
    case .subscriptionEvent: try event(row, at: number)
    case .subscription: try stock(row, at: number)
    case .financial: try financial(row, at: number)
    case .financeDetail: try detail(row, at: number)
    case .analyticsEvent: try count(row, of: .eventSubType, on: .eventDate, at: number)
    case .analyticsState: try count(row, of: .stateMetric, on: .date, at: number)
    }
  }

  private func sales(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard try row.value(.productType, Self.isPurchase) else { return nil }
    let day = try row.day(.beginDate)
    guard try row.day(.endDate) == day else {
      throw CellFault(reason: .reportNotDaily, detail: "end date")
    }
    var line = try priced(
      row, at: number, day: day, units: try row.number(.units), isRefund: false)
    line.productID = try row.required(.sku)
    line.appleID = row.text(.appleIdentifier)
    line.app = row.text(.parentIdentifier)
    line.offer = Self.orderedOffer(row)
    let isSubscription = !row.isEmpty(at: header.position(.subscription))
    line.isRenewal = isSubscription ? row.holds(.subscription, "renewal") : nil
    line.isPreserved = row.flag(.preservedPricing)
    return line
  }

  private func subscriber(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    let isRefund = row.holds(.refund, "yes")
    var line = try priced(
      row, at: number, day: try row.day(.eventDate),
      units: header.has(.units) ? try row.number(.units) : isRefund ? -1 : 1, isRefund: isRefund)
    line.appleID = try row.required(.subscriptionAppleID)
    line.app = row.text(.appAppleID)
    line.offer = Self.offer(row)
    line.isPreserved = row.flag(.preservedPricing)
    line.subscriber = row.text(.subscriberID)
    if line.isRefund, !row.isEmpty(at: header.position(.purchaseDate)) {
      line.purchaseDay = try row.day(.purchaseDate)
    }
    return line
  }

  private func event(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    let name = try row.required(.event)
    let event = name.lowercased()
    var line = AppleReportLine(
      line: number, report: report, day: try row.day(.eventDate),
      storefront: try row.storefront(),
      units: try row.number(.quantity), isRefund: event == "refund")
    line.appleID = try row.required(.subscriptionAppleID)
    line.app = row.text(.appAppleID)
    line.event = name
    line.offer = Self.offer(row)
    line.isRenewal = event == "renew" || event == "renewal from billing retry"
    line.isPreserved = row.flag(.preservedPricing)
    return line
  }

  private func stock(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine {
    guard let exportDay else {
      throw CellFault(reason: .reportNotDaily, detail: "the file's name has no day")
    }
    var line = AppleReportLine(
      line: number, report: report, day: exportDay,
      storefront: try row.storefront(),
      units: try running(row))
    line.appleID = try row.required(.subscriptionAppleID)
    line.app = row.text(.appAppleID)
    line.currency = try row.currency(.customerCurrency)
    line.unitPrice = try row.amount(.customerPrice)
    line.offer = Self.offer(row)
    line.isPreserved = row.flag(.preservedPricing)
    return line
  }

  /// Returns the number of paid subscriptions in a line: at the standard price and under paid
  /// offers.
  private func running(_ row: ReportRow) throws(CellFault) -> Int64 {
    var sum = try row.number(.activeSubscriptions)
    for (name, position) in header.offerStocks where !row.isEmpty(at: position) {
      guard let stock = row.read(at: position, ReportRow.number) ?? nil else {
        throw CellFault(reason: .reportFieldInvalid, detail: name)
      }
      sum += stock
    }
    return sum
  }

  private func financial(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard try row.value(.productType, Self.isPurchase) else { return nil }
    let (day, units) = (try row.day(.endDate), try row.number(.quantity))
    let isRefund = row.holds(.salesOrReturn, "r")
    var line: AppleReportLine
    if header.has(.customerPrice) {
      line = try priced(row, at: number, day: day, units: units, isRefund: isRefund)
    } else {
      line = AppleReportLine(
        line: number, report: report, day: day,
        storefront: try row.storefront(), units: units,
        isRefund: isRefund || units < 0)
    }
    line.productID = try row.required(.vendorIdentifier)
    line.appleID = row.text(.appleIdentifier)
    if let code = row.text(.promoCode) { line.offer = .named(code) }
    return line
  }

  private func detail(_ row: ReportRow, at number: Int) throws(CellFault) -> AppleReportLine? {
    guard try row.value(.productType, Self.isPurchase) else { return nil }
    let isRefund = row.holds(.salesOrReturn, "r")
    var line = try priced(
      row, at: number, day: try row.day(.transactionDate), units: try row.number(.quantity),
      isRefund: isRefund)
    line.settledOn = try row.day(.settlementDate)
    line.isSettledLater = firstDay.map { line.day < $0 }
    line.productID = try row.required(.sku)
    line.appleID = row.text(.appleIdentifier)
    line.offer = Self.orderedOffer(row)
    return line
  }

  /// Reads a line of App Analytics: the number of events, or of subscriptions in a state.
  private func count(
    _ row: ReportRow, of event: ReportColumn, on day: ReportColumn, at number: Int
  ) throws(CellFault) -> AppleReportLine {
    var line = AppleReportLine(
      line: number, report: report, day: try row.day(header.has(day) ? day : .date),
      storefront: try row.value(.territory) { Storefront($0) }, units: try row.number(.counts))
    line.appleID = try row.required(.subscriptionIdentifier)
    line.app = row.text(.appAppleIdentifier)
    line.event = try row.required(event)
    return line
  }

  /// Determines the offer of a line: from its promo code, else from its order type.
  private static func orderedOffer(_ row: ReportRow) -> AppleOffer {
    if let code = row.text(.promoCode) { return .named(code) }
    guard let type = row.text(.orderType)?.lowercased() else { return .none }
    return type.contains("intro") || type.contains("trial") ? .introductory : .named(type)
  }

  /// Reads a line with a price.
  ///
  /// The customer price is the price of one unit. If the number of units is 0, the customer price
  /// is the whole amount. The line is a refund if it is marked as a refund, or if its price or
  /// number of units is negative.
  private func priced(
    _ row: ReportRow, at number: Int, day: CivilDay, units: Int64, isRefund: Bool
  ) throws(CellFault) -> AppleReportLine {
    let price = try row.amount(.customerPrice)
    let isBack = isRefund || units < 0 || price < .zero
    let size = price.rawValue.magnitude
    let (amount, overflow) = size.multipliedReportingOverflow(by: max(1, units.magnitude))
    guard !overflow, amount <= Self.mostMoney else {
      throw CellFault(reason: .reportFieldInvalid, detail: "customer price")
    }
    let sign: Int64 = isBack ? -1 : 1
    var line = AppleReportLine(
      line: number, report: report, day: day,
      storefront: try row.storefront(),
      units: sign * Int64(units.magnitude), amount: Milliunits(sign * Int64(amount)),
      isRefund: isBack)
    line.currency = try row.currency(.customerCurrency)
    line.unitPrice = units == 0 ? nil : Milliunits(Int64(size))
    let (share, currency): (ReportColumn, ReportColumn) =
      header.has(.partnerShare)
      ? (.partnerShare, .partnerShareCurrency)
      : (
        .developerProceeds,
        header.has(.proceedsCurrency) ? .proceedsCurrency : .currencyOfProceeds
      )
    if let proceeds = row.read(at: header.position(share), ReportRow.decimal) ?? nil,
      proceeds.rawValue.magnitude <= Self.mostMoney,
      let code = row.read(at: header.position(currency), { Currency($0) }) ?? nil
    {
      line.proceeds = Milliunits(abs(proceeds.rawValue))
      line.proceedsCurrency = code
    }
    return line
  }

  /// The largest accepted amount of a line, in thousandths: 1,000,000,000,000.00 of a currency.
  ///
  /// With this limit, sums of lines cannot overflow.
  private static let mostMoney: UInt64 = 1_000_000_000_000_000

  /// Determines the offer in a line about a subscription: named, introductory, or none.
  private static func offer(_ row: ReportRow) -> AppleOffer {
    if let id = row.text(.offerID) ?? row.text(.offerName) {
      return .named(id)
    }
    return row.isEmpty(at: row.header.position(.offerType)) ? .none : .introductory
  }

  /// Returns true if a product type is an in-app purchase, except `IA3`, a restored purchase.
  private static func isPurchase(_ type: Span<UInt8>) -> Bool {
    func begins(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
      type.count >= 2 && type[0] == UInt8(ascii: first) && type[1] == UInt8(ascii: second)
    }
    let isRestored = type.count == 3 && begins("I", "A") && type[2] == UInt8(ascii: "3")
    return (begins("I", "A") || begins("F", "I")) && !isRestored
  }
}
