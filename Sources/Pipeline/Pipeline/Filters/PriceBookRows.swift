internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel

/// The price book, read from the rows that `learn` wrote, in any order.
///
/// The price book is so small that every task reads it.
struct PriceBookRows {
  /// The tags of the rows that `learn` writes about prices.
  static let tags = ["apart", "currency", "interval", "market", "prices", "unit"]

  /// The learned prices; their symbols belong to ``texts``.
  private var prices = PublishedPrices(intervals: [], currencies: [], apart: [])
  private var markets: [(product: ProductID, currency: Currency, instalment: Instalment?)] = []
  private var texts = SymbolTable()

  static func write(
    _ book: PriceBook, _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    try output.row("prices")
    for index in 0..<Int32(book.markets.count) {
      let market = MarketIndex(index)
      try output.row(
        "market",
        FilterField.product(book.markets.product(market), symbols)
          + [.word(book.markets.currency(market).code)]
          + FilterField.instalment(book.markets.instalment(market)))
    }
    try write(PublishedPrices(book), symbols, to: output)
  }

  /// Writes the learned prices and the currencies of storefronts, on which the facts depend.
  static func write(
    _ prices: PublishedPrices, _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    for interval in prices.intervals {
      try output.row("interval", fields(interval, symbols))
    }
    for learned in prices.currencies {
      try output.row(
        "currency", .word(learned.storefront.code), .number(learned.from?.milliseconds),
        .number(learned.to?.milliseconds), .word(learned.currency.code))
    }
    for place in prices.apart {
      try output.row(
        "apart", .word(place.currency.code), .word(place.storefront.code),
        .flag(place.isListed))
    }
    for doubted in prices.doubtedUnits {
      try output.row(
        "unit", .word(doubted.currency.code), .word(doubted.storefront.code),
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
      .number(interval.firstReportedAt?.milliseconds),
      .number(interval.lowestEarlyStray?.rawValue), .number(interval.highestEarlyStray?.rawValue),
    ]
  }

  /// The storefronts whose unit of prices is doubtful, sorted by time.
  var doubtedUnits: [DoubtedUnit] {
    prices.doubtedUnits.sorted {
      ($0.from, $0.storefront.code, $0.currency.code)
        < ($1.from, $1.storefront.code, $1.currency.code)
    }
  }

  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows { try add(&row) }
  }

  private mutating func add(_ row: inout FilterRow) throws(RunFailure) {
    switch row.tag {
    case "market":
      let product = try row.product(in: &texts)
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      markets.append((product, currency, try row.instalment()))
    case "interval": prices.intervals.append(try interval(&row))
    case "currency":
      guard let storefront = try row.storefront() else { throw row.failure("a storefront") }
      let (from, to) = (try row.moment(), try row.moment())
      guard let currency = try row.currency() else { throw row.failure("a currency") }
      var learned = LearnedCurrency(currency, of: storefront)
      (learned.from, learned.to) = (from, to)
      prices.currencies.append(learned)
    case "apart":
      guard let currency = try row.currency(), let storefront = try row.storefront() else {
        throw row.failure("a currency and a storefront")
      }
      var place = SeparateStorefront(storefront, in: currency)
      place.isListed = try row.flag()
      prices.apart.append(place)
    case "unit":
      guard let currency = try row.currency(), let storefront = try row.storefront(),
        let from = try row.moment(),
        let factor = Int8(exactly: try row.number()).flatMap(RebasingFactor.init(exponent:))
      else { throw row.failure("a currency, a storefront, a time and a power of ten") }
      prices.doubtedUnits.append(
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
    interval.firstReportedAt = try row.moment()
    interval.lowestEarlyStray = try row.optionalNumber().map(Milliunits.init)
    interval.highestEarlyStray = try row.optionalNumber().map(Milliunits.init)
    return interval
  }

  func intern(into table: inout SymbolTable) { _ = table.intern(all: texts) }

  /// The price book, without verdicts.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func book(in table: inout SymbolTable, catalogue: Catalogue) -> PriceBook {
    let names = table.intern(all: texts)
    return PriceBook(
      prices(in: &table),
      markets: markets.map { ($0.product.renamed(names), $0.currency, $0.instalment) },
      catalogue: catalogue)
  }

  /// The prices and currencies of the price book.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func prices(in table: inout SymbolTable) -> PublishedPrices {
    var prices = prices
    let names = table.intern(all: texts)
    func renamed(_ symbol: Symbol) -> Symbol { names[Int(symbol.rawValue)] }
    for place in prices.intervals.indices {
      let interval = prices.intervals[place]
      prices.intervals[place].productID = interval.productID.renamed(names)
      if case .offer(let id) = interval.series.kind {
        prices.intervals[place].series.kind = .offer(OfferID(renamed(id.symbol)))
      }
    }
    return prices
  }
}
