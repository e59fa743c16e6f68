internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel

/// All placed reports of a run as rows, which learning holds.
struct PlacedRows {
  /// The tags of the output's rows.
  static let tags = ["placed", "signed", "signed-price"]

  /// In the order of evidence ids; their symbols are those of ``texts``.
  private var reports: [PlacedReport] = []
  private var signed: [PlacedReport] = []
  private var offers = OfferLists()
  private var texts = SymbolTable()
  /// Whether a price is signed anywhere.
  private var isSigned = false

  /// The result of learning from the rows.
  struct Lesson {
    /// Learned from all evidence.
    var prices: PriceBook
    /// Learned only from the reports; `nil` if nothing is signed.
    var unsigned: PriceBook?
    /// The reports, by evidence id.
    var reports: [PlacedReport]
  }

  /// Writes a report.
  static func write(
    _ report: PlacedReport, isNobodys: Bool, _ offers: OfferLists, _ symbols: SymbolTable,
    to output: FilterOutput
  ) throws(RunFailure) {
    var told = Array(report.isPlaceTold ? "1\t".utf8 : "0\t".utf8)
    told += Array((report.rivalPlace?.code ?? "\\N").utf8)
    told += Array((report.isLongBefore ? "\t1\t" : "\t0\t").utf8)
    told += Array((report.setAside?.rawValue ?? "\\N").utf8)
    for offer in offers[report.offers] { append(offer, symbols, to: &told) }
    try output.row(
      report.isSigned ? "signed" : "placed",
      [
        .key(report.evidenceID), .number(report.time.milliseconds),
        .number(report.price.rawValue), .number(isNobodys ? nil : report.voter.rawValue),
      ] + FilterField.product(report.productID, symbols) + [
        .word(report.currency.code), .word(report.place?.code ?? "\\N"), .written(told),
      ])
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

  /// Takes in the next row, in the order of the bytes.
  mutating func add(_ row: consuming FilterRow) throws(RunFailure) {
    guard row.tag != "signed-price" else { return isSigned = true }
    let isVote = row.tag == "signed"
    let id = try row.key()
    let (time, price) = (try row.number(), try row.number())
    let voter = try row.optionalNumber()
    let product = try row.product(in: &texts)
    guard let currency = try row.currency() else { throw row.failure("a currency") }
    let (place, isPlaceTold) = (try row.storefront(), try row.flag())
    let (rival, isLongBefore) = (try row.storefront(), try row.flag())
    let verdict = try row.text().map { String(decoding: $0, as: UTF8.self) }
    let setAside = verdict.flatMap(Verdict.init)
    guard (verdict == nil) == (setAside == nil) else { throw row.failure("a verdict") }
    var told: [OfferPrice] = []
    while row.hasField { told.append(try offer(&row)) }
    let report = PlacedReport(
      evidenceID: id, time: Instant(milliseconds: time), price: Milliunits(price),
      voter: voter.map(Voter.init) ?? GatheredHouseholds.nobodysVoter(id), productID: product,
      currency: currency, offers: offers.index(of: told), place: place, isPlaceTold: isPlaceTold,
      rivalPlace: rival, isLongBefore: isLongBefore, isSigned: isVote, setAside: setAside)
    if isVote { signed.append(report) } else { reports.append(report) }
  }

  private mutating func offer(_ row: inout FilterRow) throws(RunFailure) -> OfferPrice {
    let id = try row.text().map { OfferID(texts.intern($0.span)) }
    let price = Milliunits(try row.number())
    guard let mode = try row.paymentMode() else { throw row.failure("how an offer is paid") }
    let periods = try row.optionalNumber()
    return OfferPrice(
      offerID: id, price: price, paymentMode: mode,
      numberOfPeriods: periods.flatMap { Int32(exactly: $0) }, period: try row.period())
  }

  /// Adds the texts that the rows name.
  func intern(into table: inout SymbolTable) { _ = table.intern(all: texts) }

  /// Learns prices.
  ///
  /// - Parameters:
  ///   - table: A table that holds the texts.
  ///   - catalogue: The prices and price changes known from App Store Connect.
  ///   - times: The times in which reports can have been made.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Returns: The price books and the reports, with the table's symbols.
  consuming func lesson(
    in table: inout SymbolTable, catalogue: Catalogue, times: SaleTimes, workers: Int
  ) -> Lesson {
    let names = table.intern(all: texts)
    for place in reports.indices { Self.rename(&reports[place], names) }
    for place in signed.indices { Self.rename(&signed[place], names) }
    var renamed = OfferLists()
    for list in 0..<Int32(offers.count) {
      let prices = offers[OfferListIndex(list)].map { price in
        var price = price
        price.offerID = price.offerID.map { OfferID(names[Int($0.symbol.rawValue)]) }
        return price
      }
      _ = renamed.index(of: prices)
    }
    return Lesson(
      prices: learnPrices(
        from: reports + signed, offers: renamed, catalogue: catalogue, times: times,
        workers: workers),
      unsigned: isSigned
        ? learnPrices(
          from: reports, offers: renamed, catalogue: catalogue, times: times, workers: workers)
        : nil,
      reports: reports)
  }

  private static func rename(_ report: inout PlacedReport, _ names: [Symbol]) {
    report.productID = report.productID.renamed(names)
  }
}
