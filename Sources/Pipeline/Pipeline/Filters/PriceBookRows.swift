internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PriceLearning
internal import PurchaseModel

/// The price book, read from the rows that `learn` wrote, in any order.
///
/// There are two price books if any price is signed: one learned from all evidence, and one learned
/// without signed prices, for the backtest. They are so small that every task reads both.
package struct PriceBookRows {
  /// The tags of the rows that `learn` writes about prices.
  static let tags = ["apart", "currency", "interval", "market", "prices", "unit"]

  /// The evidence from which a price book was learned.
  enum Evidence: String {
    case all
    /// The evidence without signed prices, for the backtest.
    case unsigned
  }

  /// The content of a price book; its symbols belong to ``texts``.
  private struct Parts {
    var prices = PublishedPrices(intervals: [], currencies: [], apart: [])
    var markets: [(product: ProductID, currency: Currency, instalment: Instalment?)] = []
  }

  private var books: [Evidence: Parts] = [:]
  private var texts = SymbolTable()

  static func write(
    _ book: PriceBook, _ evidence: Evidence, _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    let name = FilterField.word(evidence.rawValue)
    try output.row("prices", name)
    for index in 0..<Int32(book.markets.count) {
      let market = MarketIndex(index)
      try output.row(
        "market",
        [name] + FilterField.product(book.markets.product(market), symbols)
          + [.word(book.markets.currency(market).code)]
          + FilterField.instalment(book.markets.instalment(market)))
    }
    try write(PublishedPrices(book), evidence, symbols, to: output)
  }

  /// Writes the learned prices and the currencies of storefronts, on which the facts depend.
  static func write(
    _ parts: PublishedPrices, _ evidence: Evidence, _ symbols: SymbolTable,
    to output: FilterOutput
  ) throws(RunFailure) {
    let name = FilterField.word(evidence.rawValue)
    for interval in parts.intervals {
      try output.row("interval", [name] + fields(interval, symbols))
    }
    for learned in parts.currencies {
      try output.row(
        "currency", name, .word(learned.storefront.code), .number(learned.from?.milliseconds),
        .number(learned.to?.milliseconds), .word(learned.currency.code))
    }
    for place in parts.apart {
      try output.row(
        "apart", name, .word(place.currency.code), .word(place.storefront.code),
        .flag(place.isListed))
    }
    for doubted in parts.doubtedUnits {
      try output.row(
        "unit", name, .word(doubted.currency.code), .word(doubted.storefront.code),
        .number(doubted.from.milliseconds), .number(Int64(doubted.factor.exponent)))
    }
  }

  private static func fields(_ interval: PriceInterval, _ symbols: SymbolTable) -> [FilterField] {
    let (kind, offer): (String, [UInt8]?) =
      switch interval.series.kind {
      case .regular: ("regular", nil)
      case .introductory: ("introductory", nil)
      case .offer(let id): ("offer", Array(symbols.utf8(id.symbol)))
      }
    return FilterField.product(interval.productID, symbols) + [
      .word(interval.currency.code), .word(kind), .text(offer),
      .name(interval.series.storefront?.code),
      .number(interval.from?.milliseconds), .number(interval.to?.milliseconds),
      .flag(interval.endsAtCatalogueDate), .number(interval.price.rawValue),
      .name(interval.paymentMode?.name),
      .number(interval.length.numberOfPeriods.map(Int64.init)),
      .number(interval.length.period.map { Int64($0.count) }),
      .number(interval.length.period.map { Int64($0.unit.rawValue) }),
      .number(Int64(interval.voters)), .number(Int64(interval.reports)),
      .number(Int64(interval.rejectedReports)), .number(interval.firstReport),
      .number(interval.lastReportedAt.milliseconds), .flag(interval.isListed),
      .flag(interval.isAgreed),
      .number(interval.lowestStray?.rawValue), .number(interval.highestStray?.rawValue),
    ]
  }

  /// The storefronts whose unit of prices is doubtful, sorted by time.
  var doubtedUnits: [DoubtedUnit] {
    (books[.all]?.prices.doubtedUnits ?? []).sorted {
      ($0.from, $0.storefront.code, $0.currency.code)
        < ($1.from, $1.storefront.code, $1.currency.code)
    }
  }

  /// Reads the file that `--price-book` names.
  package init(path: String) throws(RunFailure) {
    try self.init(rows: try FilterInput.rows(ofFile: path, Set(Self.tags)))
    guard books[.all] != nil else {
      throw RunFailure(
        .invariantBroken,
        "\(OneLine.text(path)): expected rows of the price book, which learn writes; found none")
    }
  }

  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows {
      guard let evidence = Evidence(rawValue: try row.word()) else {
        throw row.failure("all or unsigned")
      }
      var parts = books.removeValue(forKey: evidence) ?? Parts()
      try add(&row, to: &parts)
      books[evidence] = parts
    }
  }

  private mutating func add(_ row: inout FilterRow, to parts: inout Parts) throws(RunFailure) {
    switch row.tag {
    case "market":
      let product = try row.product(in: &texts)
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      parts.markets.append((product, currency, try row.instalment()))
    case "interval": parts.prices.intervals.append(try interval(&row))
    case "currency":
      guard let storefront = try row.storefront() else { throw row.failure("a storefront") }
      let (from, to) = (try row.moment(), try row.moment())
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      var learned = LearnedCurrency(currency, of: storefront)
      (learned.from, learned.to) = (from, to)
      parts.prices.currencies.append(learned)
    case "apart":
      guard let currency = try row.currency(), let storefront = try row.storefront() else {
        throw row.failure("a currency and a storefront")
      }
      var place = SeparateStorefront(storefront, in: currency)
      place.isListed = try row.flag()
      parts.prices.apart.append(place)
    case "unit":
      guard let currency = try row.currency(), let storefront = try row.storefront(),
        let from = try row.moment(),
        let factor = Int8(exactly: try row.number()).flatMap(RebasingFactor.init(exponent:))
      else { throw row.failure("a currency, a storefront, a time and a power of ten") }
      parts.prices.doubtedUnits.append(
        DoubtedUnit(storefront: storefront, currency: currency, from: from, factor: factor))
    default: break  // The row `prices` says that there is such a book.
    }
  }

  private mutating func interval(_ row: inout FilterRow) throws(RunFailure) -> PriceInterval {
    let product = try row.product(in: &texts)
    guard let currency = try row.currency() else { throw row.failure("a currency") }
    let kind = try row.word()
    let offer = try row.text().map { OfferID(texts.intern($0.span)) }
    let storefront = try row.storefront()
    let (from, to, endsAtDate) = (try row.moment(), try row.moment(), try row.flag())
    let price = Milliunits(try row.number())
    let mode = try row.paymentMode()
    let length = OfferLength(
      numberOfPeriods: try row.optionalNumber().flatMap { Int32(exactly: $0) },
      period: try row.period())
    let series: SeriesKind
    switch (kind, mode, offer) {
    case ("regular", _, _): series = .regular
    case ("introductory", let mode?, _): series = .introductory(mode, length)
    case ("offer", _, let id?): series = .offer(id)
    default: throw row.failure("a kind of price")
    }
    var interval = PriceInterval(
      productID: product, currency: currency, kind: series, storefront: storefront, price: price,
      lastReportedAt: .epoch)
    (interval.from, interval.to, interval.endsAtCatalogueDate) = (from, to, endsAtDate)
    (interval.paymentMode, interval.length) = (mode, length)
    (interval.voters, interval.reports) = (try row.number32(), try row.number32())
    interval.rejectedReports = try row.number32()
    interval.firstReport = try row.optionalNumber()
    guard let last = try row.moment() else { throw row.failure("a time") }
    interval.lastReportedAt = last
    (interval.isListed, interval.isAgreed) = (try row.flag(), try row.flag())
    interval.lowestStray = try row.optionalNumber().map(Milliunits.init)
    interval.highestStray = try row.optionalNumber().map(Milliunits.init)
    return interval
  }

  func intern(into table: inout SymbolTable) { _ = table.intern(all: texts) }

  /// Returns the price book that was learned from one kind of evidence; `nil` if there is none.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func book(_ evidence: Evidence, in table: inout SymbolTable, catalogue: Catalogue) -> PriceBook? {
    parts(evidence, in: &table).map { parts in
      PriceBook(parts.prices, markets: parts.markets, catalogue: catalogue)
    }
  }

  /// Returns the prices and currencies of a price book; `nil` if there is none.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func prices(_ evidence: Evidence, in table: inout SymbolTable) -> PublishedPrices? {
    parts(evidence, in: &table)?.prices
  }

  private func parts(_ evidence: Evidence, in table: inout SymbolTable) -> Parts? {
    guard var parts = books[evidence] else { return nil }
    let names = table.intern(all: texts)
    func renamed(_ symbol: Symbol) -> Symbol { names[Int(symbol.rawValue)] }
    for place in parts.prices.intervals.indices {
      let interval = parts.prices.intervals[place]
      parts.prices.intervals[place].productID = interval.productID.renamed(names)
      if case .offer(let id) = interval.series.kind {
        parts.prices.intervals[place].series.kind = .offer(OfferID(renamed(id.symbol)))
      }
    }
    for place in parts.markets.indices {
      parts.markets[place].product = parts.markets[place].product.renamed(names)
    }
    return parts
  }
}
