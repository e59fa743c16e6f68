internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

/// A market for which prices were learned, also if none is in force.
struct MarketRow: CodedRow {
  static let tag = "market"
  var product = ProductFields()
  var currency = Currency(rawValue: 0)
  var instalment: Instalment?

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("currency", &currency)
    try coder.code("instalments", &instalment)
  }
}

/// A price and the time in which it was in force.
struct IntervalRow: CodedRow {
  static let tag = "interval"

  private enum Kind: String { case regular, introductory, offer }

  private var product = ProductFields()
  private var kind = Kind.regular
  private var offerID: [UInt8]?
  /// The interval; its product and kind are those above.
  private var read = PriceInterval(
    productID: ProductID(Symbol(rawValue: 0), of: nil), currency: Currency(rawValue: 0),
    kind: .regular, storefront: nil, price: .zero, lastReportedAt: .epoch)

  init() {}

  init(_ interval: PriceInterval, _ symbols: SymbolTable) {
    product = ProductFields(interval.productID, symbols)
    read = interval
    switch interval.series.kind {
    case .regular: break
    case .introductory: kind = .introductory
    case .offer(let id): (kind, offerID) = (.offer, Array(symbols.utf8(id.symbol)))
    }
  }

  /// The interval in the symbols of a table, to which missing texts are added; `nil` if the row is
  /// not whole.
  func interval(in texts: inout SymbolTable) -> PriceInterval? {
    let series: SeriesKind
    switch kind {
    case .regular: series = .regular
    case .introductory:
      guard let mode = read.paymentMode else { return nil }
      series = .introductory(mode, read.length)
    case .offer:
      guard let offerID else { return nil }
      series = .offer(OfferID(texts.intern(offerID.span)))
    }
    var interval = read
    interval.productID = product.product(in: &texts)
    interval.series.kind = series
    return interval
  }

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("currency", &read.currency)
    try coder.code("kind", word: &kind)
    try coder.code("offer_id", bytes: &offerID)
    try coder.code("storefront", &read.series.storefront)
    try coder.code("from", &read.from)
    try coder.code("to", &read.to)
    try coder.code("ends_at_catalogue_date", &read.endsAtCatalogueDate)
    try coder.code("price_milli", &read.price)
    try coder.code("payment_mode", &read.paymentMode)
    try coder.code("periods", number: &read.length.numberOfPeriods)
    try coder.code("period", &read.length.period)
    try coder.code("voters", number: &read.voters)
    try coder.code("reports", number: &read.reports)
    try coder.code("rejected_reports", number: &read.rejectedReports)
    try coder.code("first_report", &read.firstReport)
    try coder.code("last_reported_at", &read.lastReportedAt)
    try coder.code("is_listed", &read.isListed)
    try coder.code("is_agreed", &read.isAgreed)
    try coder.code("lowest_stray_milli", &read.lowestStray)
    try coder.code("highest_stray_milli", &read.highestStray)
    try coder.code("first_reported_at", &read.firstReportedAt)
    try coder.code("lowest_early_stray_milli", &read.lowestEarlyStray)
    try coder.code("highest_early_stray_milli", &read.highestEarlyStray)
  }
}

/// The currency of a storefront in a span of time.
struct CurrencyRow: CodedRow {
  static let tag = "currency"
  var learned = LearnedCurrency(Currency(rawValue: 0), of: Storefront(rawValue: 0))

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("storefront", &learned.storefront)
    try coder.code("from", &learned.from)
    try coder.code("to", &learned.to)
    try coder.code("currency", &learned.currency)
  }
}

/// A storefront with a price list of its own.
struct ApartRow: CodedRow {
  static let tag = "apart"
  var place = SeparateStorefront(Storefront(rawValue: 0), in: Currency(rawValue: 0))

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("currency", &place.currency)
    try coder.code("storefront", &place.storefront)
    try coder.code("is_listed", &place.isListed)
  }
}

/// A storefront whose unit of prices is in doubt.
struct UnitRow: CodedRow {
  static let tag = "unit"
  private var currency = Currency(rawValue: 0)
  private var storefront = Storefront(rawValue: 0)
  private var from = Instant.epoch
  /// The number of old units per new unit, as a power of ten.
  private var exponent: Int8 = 0

  init() {}

  init(_ doubted: DoubtedUnit) {
    (currency, storefront) = (doubted.currency, doubted.storefront)
    (from, exponent) = (doubted.from, doubted.factor.exponent)
  }

  var doubted: DoubtedUnit? {
    RebasingFactor(exponent: exponent).map {
      DoubtedUnit(storefront: storefront, currency: currency, from: from, factor: $0)
    }
  }

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("currency", &currency)
    try coder.code("storefront", &storefront)
    try coder.code("from", &from)
    try coder.code("exponent", number: &exponent)
  }
}
