internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel

/// All placed reports of a run as rows, from which every task learns the same prices.
package struct PlacedRows {
  /// The tags of the output's rows.
  static let tags = ["placed", "signed", "signed-price"]

  private struct Row {
    var report: PlacedReport
    var product: [UInt8]
    var offers: [(price: OfferPrice, id: [UInt8]?)]
  }

  private var rows: [Row] = []
  /// Whether a price is signed anywhere.
  private var isSigned = false

  /// The result of learning from the rows.
  struct Lesson {
    /// By all evidence.
    var prices: PriceBook
    /// By the reports alone; `nil` if nothing is signed.
    var hidden: PriceBook?
    /// The products that reports name.
    var reported: [ProductID]
    /// The evidence ids of the reports, ascending.
    var evidence: [Int64]
  }

  /// Writes a report.
  static func write(
    _ report: PlacedReport, isNobodys: Bool, _ offers: OfferLists, _ symbols: SymbolTable,
    to output: FilterOutput
  ) throws(RunFailure) {
    var told = Array(report.isPlaceTold ? "1".utf8 : "0".utf8)
    for offer in offers[report.offers] { append(offer, symbols, to: &told) }
    try output.row(
      report.isSigned ? "signed" : "placed", .key(report.evidenceID),
      .number(report.time.milliseconds), .number(report.price.rawValue),
      .number(isNobodys ? nil : report.voter.rawValue),
      .text(Array(symbols.utf8(report.productID.symbol))), .word(report.currency.code),
      .word(report.place?.code ?? "\\N"), .written(told))
  }

  /// Appends the fields of an offer: id, price, mode, periods, and the length of one.
  private static func append(_ offer: OfferPrice, _ symbols: SymbolTable, to line: inout [UInt8]) {
    line.append(FilterText.tab)
    if let id = offer.offerID {
      FilterText.append(symbols.utf8(id.symbol), to: &line)
    } else {
      line += FilterText.none
    }
    let rest = [
      String(offer.price.rawValue), offer.paymentMode.name,
      offer.numberOfPeriods.map(String.init) ?? "\\N",
      offer.period.map { String($0.count) } ?? "\\N",
      offer.period.map { String($0.unit.rawValue) } ?? "\\N",
    ]
    line += Array(("\t" + rest.joined(separator: "\t")).utf8)
  }

  /// Reads a side file.
  package init(path: String) throws(RunFailure) {
    for var row in try FilterInput.rows(ofFile: path, Set(Self.tags)) {
      if row.tag == "signed-price" { isSigned = true } else { rows.append(try Self.read(&row)) }
    }
    rows.sort {
      ($0.report.isSigned ? 1 : 0, $0.report.evidenceID)
        < ($1.report.isSigned ? 1 : 0, $1.report.evidenceID)
    }
  }

  private static func read(_ row: inout FilterRow) throws(RunFailure) -> Row {
    let isSigned = row.tag == "signed"
    let id = try row.key()
    let (time, price) = (try row.number(), try row.number())
    let voter = try row.optionalNumber()
    let product = try row.requiredText()
    guard let currency = Currency(try row.word()) else { throw row.failure("a currency") }
    let place = try row.text().flatMap { Storefront(String(decoding: $0, as: UTF8.self)) }
    let isPlaceTold = try row.flag()
    var found = Row(
      report: PlacedReport(
        evidenceID: id, time: Instant(milliseconds: time), price: Milliunits(price),
        voter: voter.map(Voter.init) ?? GatheredHouseholds.nobodysVoter(id),
        productID: ProductID(Symbol(rawValue: 0)), currency: currency, offers: .none,
        place: place, isPlaceTold: isPlaceTold, isSigned: isSigned),
      product: product, offers: [])
    while row.hasField { found.offers.append(try offer(&row)) }
    return found
  }

  private static func offer(_ row: inout FilterRow) throws(RunFailure)
    -> (price: OfferPrice, id: [UInt8]?)
  {
    let id = try row.text()
    let price = Milliunits(try row.number())
    let name = try row.word()
    guard let mode = PaymentMode.allCases.first(where: { $0.name == name }) else {
      throw row.failure("how an offer is paid")
    }
    let periods = try row.optionalNumber()
    let (count, unit) = (try row.optionalNumber(), try row.optionalNumber())
    var period: Period?
    if let count, let unit = unit.flatMap({ UInt8(exactly: $0) }).flatMap(Period.Unit.init) {
      period = Period(Int(count), unit)
    }
    let offer = OfferPrice(
      offerID: nil, price: price, paymentMode: mode,
      numberOfPeriods: periods.flatMap { Int32(exactly: $0) }, period: period)
    return (offer, id)
  }

  /// Adds the texts that the rows name.
  func intern(into table: inout SymbolTable) {
    for row in rows {
      _ = table.intern(row.product.span)
      for offer in row.offers { if let id = offer.id { _ = table.intern(id.span) } }
    }
  }

  /// Learns prices, by a table that holds the texts.
  func lesson(in table: inout SymbolTable, catalogue: Catalogue) -> Lesson {
    var offers = OfferLists()
    var placed: [PlacedReport] = []
    var signed: [PlacedReport] = []
    for row in rows {
      var report = row.report
      report.productID = ProductID(table.intern(row.product.span))
      report.offers = offers.index(
        of: row.offers.map { offer in
          var price = offer.price
          price.offerID = offer.id.map { OfferID(table.intern($0.span)) }
          return price
        })
      if report.isSigned { signed.append(report) } else { placed.append(report) }
    }
    return Lesson(
      prices: learnPrices(from: placed + signed, offers: offers, catalogue: catalogue),
      hidden: isSigned ? learnPrices(from: placed, offers: offers, catalogue: catalogue) : nil,
      reported: placed.map(\.productID), evidence: placed.map(\.evidenceID))
  }
}
