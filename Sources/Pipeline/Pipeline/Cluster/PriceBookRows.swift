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
        MarketRow(
          product: ProductFields(book.markets.product(market), symbols),
          currency: book.markets.currency(market), instalment: book.markets.instalment(market)))
    }
    try write(PublishedPrices(book), symbols, to: output)
  }

  /// Writes the learned prices and the currencies of storefronts, on which the facts depend.
  static func write(
    _ prices: PublishedPrices, _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    for interval in prices.intervals {
      try output.row(IntervalRow(interval, symbols))
    }
    for learned in prices.currencies { try output.row(CurrencyRow(learned: learned)) }
    for place in prices.apart { try output.row(ApartRow(place: place)) }
    for doubted in prices.doubtedUnits { try output.row(UnitRow(doubted)) }
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
    case MarketRow.tag:
      let market = try row.read(MarketRow.self)
      markets.append((market.product.product(in: &texts), market.currency, market.instalment))
    case IntervalRow.tag:
      let read = try row.read(IntervalRow.self)
      guard let interval = read.interval(in: &texts) else { throw row.failure("a kind of price") }
      prices.intervals.append(interval)
    case CurrencyRow.tag: prices.currencies.append(try row.read(CurrencyRow.self).learned)
    case ApartRow.tag: prices.apart.append(try row.read(ApartRow.self).place)
    case UnitRow.tag:
      guard let doubted = try row.read(UnitRow.self).doubted else {
        throw row.failure("a power of ten")
      }
      prices.doubtedUnits.append(doubted)
    default: break  // The row `prices` says that there is such a book.
    }
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

extension SymbolTable {
  /// Adds all texts of another table.
  ///
  /// - Returns: The symbols in this table, in the order of the other table's symbols.
  fileprivate mutating func intern(all other: SymbolTable) -> [Symbol] {
    (0..<UInt32(other.count)).map { number in
      let text = Array(other.utf8(Symbol(rawValue: number)))
      return intern(text.span)
    }
  }
}

extension ProductID {
  /// Converts the product's symbols to the symbols of another table.
  fileprivate func renamed(_ names: [Symbol]) -> ProductID {
    ProductID(
      names[Int(symbol.rawValue)],
      of: app.map { BundleID(names[Int($0.symbol.rawValue)]) })
  }
}
