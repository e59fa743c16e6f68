internal import Amounts
internal import CivilTime
public import PaidAmounts
public import PriceLearning
public import PurchaseModel
internal import Purchases

/// The rest of a row of `placed`: data of a price report other than its time, place and price.
///
/// Example: a believed report of the customer `s-trial-then-paid` with the transaction id of the
/// trial, `100000831001003`.
public struct KnownReport: Hashable, BitwiseCopyable, Sendable {
  /// The customer of the report.
  public var customer: CustomerID?
  /// The transaction id in the report.
  public var transactionID: TransactionID?
  /// The purchase with that id; `nil` without one of the report's product.
  public var named: NamedPurchase?
  /// The chain of that purchase.
  public var namedChain: ChainKey?
  /// The verdict by all evidence.
  public var storedVerdict: StoredVerdict
  /// The verdict without signed prices.
  public var unsigned: StoredVerdict

  /// Creates a report from its fields.
  public init(
    customer: CustomerID?, transactionID: TransactionID?, named: NamedPurchase? = nil,
    namedChain: ChainKey? = nil, storedVerdict: StoredVerdict, unsigned: StoredVerdict
  ) {
    self.customer = customer
    self.transactionID = transactionID
    self.named = named
    self.namedChain = namedChain
    self.storedVerdict = storedVerdict
    self.unsigned = unsigned
  }
}

private struct PlacedFlags {
  static let hasPlace: UInt8 = 1
  static let isPlaceTold: UInt8 = 2
  static let isSigned: UInt8 = 4
  static let isSetAside: UInt8 = 8
  static let hasApp: UInt8 = 16
  static let hasRival: UInt8 = 64
  static let isLongBefore: UInt8 = 32
}

private struct KnownFlags {
  static let hasTransaction: UInt8 = 1
  static let hasNamed: UInt8 = 2
  static let isExcluded: UInt8 = 4
  static let differsUnsigned: UInt8 = 8
  static let hasApp: UInt8 = 16
}

private struct StoredVerdictFlags {
  static let hasReference: UInt8 = 1
  static let hasPlace: UInt8 = 2
  static let isConfirmed: UInt8 = 4
  static let verdict: UInt8 = 4  // a shift: the verdict in the high four bits
}

extension BodyWriter {
  /// Writes a placed report without its evidence id and its voter, since households are renumbered
  /// in each run.
  mutating func placed(_ report: PlacedReport, offers: some Collection<OfferPrice>) {
    var flags: UInt8 = 0
    if report.place != nil { flags |= PlacedFlags.hasPlace }
    if report.isPlaceTold { flags |= PlacedFlags.isPlaceTold }
    if report.isSigned { flags |= PlacedFlags.isSigned }
    if report.setAside != nil { flags |= PlacedFlags.isSetAside }
    if report.productID.app != nil { flags |= PlacedFlags.hasApp }
    if report.rivalPlace != nil { flags |= PlacedFlags.hasRival }
    if report.isLongBefore { flags |= PlacedFlags.isLongBefore }
    byte(flags)
    time(report.time, after: .epoch)
    signed(report.price.rawValue)
    symbol(report.productID.symbol)
    if let app = report.productID.app { symbol(app.symbol) }
    number(UInt64(report.currency.rawValue))
    if let place = report.place { number(UInt64(place.rawValue)) }
    if let rival = report.rivalPlace { number(UInt64(rival.rawValue)) }
    if let verdict = report.setAside { byte(verdict.number) }
    number(offers.count)
    for offer in offers { self.offer(offer) }
  }

  /// Writes the other data of a placed report.
  mutating func known(_ report: KnownReport) {
    var flags: UInt8 = 0
    if report.transactionID != nil { flags |= KnownFlags.hasTransaction }
    if report.named != nil { flags |= KnownFlags.hasNamed }
    if report.named?.isExcluded == true { flags |= KnownFlags.isExcluded }
    if report.named?.app != nil { flags |= KnownFlags.hasApp }
    if report.unsigned != report.storedVerdict { flags |= KnownFlags.differsUnsigned }
    byte(flags)
    customer(report.customer)
    var base: Int64 = 0
    if let id = report.transactionID { self.id(id.number, after: &base) }
    if let named = report.named {
      signed(named.key.rawValue)
      time(named.purchasedAt, after: .epoch)
      if let app = named.app { symbol(app.symbol) }
      signed((report.namedChain ?? .none).rawValue)
    }
    storedVerdict(report.storedVerdict)
    if report.unsigned != report.storedVerdict { storedVerdict(report.unsigned) }
  }

  private mutating func storedVerdict(_ storedVerdict: StoredVerdict) {
    var flags = storedVerdict.verdict.number << StoredVerdictFlags.verdict
    if storedVerdict.reference != nil { flags |= StoredVerdictFlags.hasReference }
    if storedVerdict.place != nil { flags |= StoredVerdictFlags.hasPlace }
    if storedVerdict.isConfirmed { flags |= StoredVerdictFlags.isConfirmed }
    byte(flags)
    if let reference = storedVerdict.reference { signed(reference.rawValue) }
    if let place = storedVerdict.place { number(UInt64(place.rawValue)) }
  }
}

extension BodyReader {
  /// Reads a placed report, without its voter.
  mutating func placed(_ evidenceID: Int64, offers: inout OfferLists, in symbols: StoredSymbols)
    -> PlacedReport
  {
    let flags = byte()
    let (time, price) = (time(after: .epoch), price())
    let product = ProductID(
      symbol(in: symbols),
      of: flags & PlacedFlags.hasApp == 0 ? nil : BundleID(symbol(in: symbols)))
    let currency = Currency(rawValue: code())
    let place = flags & PlacedFlags.hasPlace == 0 ? nil : Storefront(rawValue: code())
    let rival = flags & PlacedFlags.hasRival == 0 ? nil : Storefront(rawValue: code())
    let setAside = flags & PlacedFlags.isSetAside == 0 ? nil : verdict(byte())
    var told: [OfferPrice] = []
    for _ in 0..<count() { told.append(offer(in: symbols)) }
    return PlacedReport(
      evidenceID: evidenceID, time: time, price: price, voter: Voter(-1), productID: product,
      currency: currency, offers: offers.index(of: told), place: place,
      isPlaceTold: flags & PlacedFlags.isPlaceTold != 0, rivalPlace: rival,
      isLongBefore: flags & PlacedFlags.isLongBefore != 0,
      isSigned: flags & PlacedFlags.isSigned != 0, setAside: setAside)
  }

  /// Reads the other data of a placed report.
  mutating func known(in symbols: StoredSymbols) -> KnownReport {
    let flags = byte()
    let customer = customer(in: symbols)
    var base: Int64 = 0
    let transaction =
      flags & KnownFlags.hasTransaction == 0 ? nil : TransactionID(id(after: &base, in: symbols))
    var (named, chain): (NamedPurchase?, ChainKey?)
    if flags & KnownFlags.hasNamed != 0 {
      named = NamedPurchase(
        key: PurchaseKey(rawValue: signed()), purchasedAt: time(after: .epoch),
        isExcluded: flags & KnownFlags.isExcluded != 0,
        app: flags & KnownFlags.hasApp == 0 ? nil : BundleID(symbol(in: symbols)))
      chain = ChainKey(rawValue: signed())
    }
    let storedVerdict = storedVerdict()
    return KnownReport(
      customer: customer, transactionID: transaction, named: named, namedChain: chain,
      storedVerdict: storedVerdict,
      unsigned: flags & KnownFlags.differsUnsigned == 0 ? storedVerdict : self.storedVerdict())
  }

  private mutating func storedVerdict() -> StoredVerdict {
    let flags = byte()
    let verdict = verdict(flags >> StoredVerdictFlags.verdict)
    let reference = flags & StoredVerdictFlags.hasReference == 0 ? nil : Milliunits(signed())
    let place = flags & StoredVerdictFlags.hasPlace == 0 ? nil : Storefront(rawValue: code())
    return StoredVerdict(
      verdict: verdict, reference: reference, place: place,
      isConfirmed: flags & StoredVerdictFlags.isConfirmed != 0)
  }

  private mutating func verdict(_ number: UInt8) -> Verdict {
    guard Int(number) < Verdict.allCases.count else {
      giveUp()
      return .noReference
    }
    return Verdict.allCases[Int(number)]
  }
}

extension Verdict {
  /// The code in bodies, below 16.
  fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }
}
