internal import Amounts
internal import CivilTime
public import PaidAmounts
internal import PriceLearning
public import PurchaseModel
internal import Purchases

/// The customer and purchase of a price report in table `placed`.
///
/// Example: a report of the customer `s-trial-then-paid` with the transaction id of the
/// trial, `100000831001003`.
public struct KnownReport: Hashable, BitwiseCopyable, Sendable {
  /// The customer id in the report; `nil` if the report has none.
  public var customer: CustomerID?
  /// The transaction id in the report; `nil` if the report has none.
  public var transactionID: TransactionID?
  /// The purchase that has ``transactionID``.
  ///
  /// `nil` if no purchase has this id, or if the purchase is of another product.
  public var named: NamedPurchase?
  /// The chain of the purchase in ``named``; `nil` if ``named`` is `nil`.
  public var namedChain: ChainKey?

  /// Creates a report from its fields.
  public init(
    customer: CustomerID?, transactionID: TransactionID?, named: NamedPurchase? = nil,
    namedChain: ChainKey? = nil
  ) {
    self.customer = customer
    self.transactionID = transactionID
    self.named = named
    self.namedChain = namedChain
  }
}

extension BodyWriter {
  /// Writes a placed report without its evidence id and its voter.
  ///
  /// The voter is left out because voters are numbered differently in each run.
  mutating func placed(_ report: PlacedReport, offers: some Collection<OfferPrice>) {
    flags(
      Flags(
        report.place != nil, report.hasOwnPlace, report.isSigned, report.setAside != nil,
        report.productID.app != nil, report.isLongBefore, report.rivalPlace != nil, report.isLate))
    flags(Flags(report.instalment != nil, report.isAsked, report.isCharge))
    if let instalment = report.instalment { self.instalment(instalment) }
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

  /// Writes the ``KnownReport`` that belongs to a placed report.
  mutating func known(_ report: KnownReport) {
    flags(
      Flags(
        report.transactionID != nil, report.named != nil, report.named?.isExcluded == true,
        report.named?.app != nil))
    customer(report.customer)
    var base: Int64 = 0
    if let id = report.transactionID { self.id(id.number, after: &base) }
    if let named = report.named {
      signed(named.key.rawValue)
      time(named.purchasedAt, after: .epoch)
      if let app = named.app { symbol(app.symbol) }
      signed((report.namedChain ?? .none).rawValue)
    }
  }

  /// Writes the verdict on a placed report.
  mutating func storedVerdict(_ storedVerdict: StoredVerdict) {
    flags(
      Flags(
        storedVerdict.reference != nil, storedVerdict.place != nil, storedVerdict.isConfirmed,
        storedVerdict.instalment != nil, beside: storedVerdict.verdict.number))
    // Few reports differ from the price in force, so the flag takes a byte only in these.
    if !storedVerdict.isConfirmed { byte(storedVerdict.isOutnumbered ? 1 : 0) }
    if let reference = storedVerdict.reference { signed(reference.rawValue) }
    if let place = storedVerdict.place { number(UInt64(place.rawValue)) }
    if let instalment = storedVerdict.instalment { self.instalment(instalment) }
  }

  private mutating func instalment(_ instalment: Instalment) {
    signed(Int64(instalment.count))
    signed(Int64(instalment.length.count))
    byte(instalment.length.unit.rawValue)
  }
}

extension BodyReader {
  /// Reads a placed report, without its voter.
  mutating func placed(_ evidenceID: Int64, offers: inout OfferLists, in symbols: StoredSymbols)
    -> PlacedReport
  {
    var flags = flags()
    let (hasPlace, hasOwnPlace, isSigned) = (flags.next(), flags.next(), flags.next())
    let (isSetAside, hasApp) = (flags.next(), flags.next())
    let (isLongBefore, hasRival, isLate) = (flags.next(), flags.next(), flags.next())
    var moreFlags = self.flags()
    let (hasInstalment, isAsked) = (moreFlags.next(), moreFlags.next())
    let isCharge = moreFlags.next()
    let instalment = hasInstalment ? instalment() : nil
    let (time, price) = (time(after: .epoch), price())
    let product = ProductID(
      symbol(in: symbols), of: hasApp ? BundleID(symbol(in: symbols)) : nil)
    let currency = Currency(rawValue: code())
    let place = hasPlace ? Storefront(rawValue: code()) : nil
    let rival = hasRival ? Storefront(rawValue: code()) : nil
    let setAside = isSetAside ? verdict(byte()) : nil
    var offerPrices: [OfferPrice] = []
    for _ in 0..<count() { offerPrices.append(offer(in: symbols)) }
    return PlacedReport(
      evidenceID: evidenceID, time: time, price: price, voter: Voter(-1), productID: product,
      currency: currency, offers: offers.index(of: offerPrices), place: place,
      hasOwnPlace: hasOwnPlace, rivalPlace: rival, isLongBefore: isLongBefore, isLate: isLate,
      isAsked: isAsked, instalment: instalment, isSigned: isSigned, isCharge: isCharge,
      setAside: setAside)
  }

  /// Reads the ``KnownReport`` that belongs to a placed report.
  mutating func known(in symbols: StoredSymbols) -> KnownReport {
    var flags = flags()
    let (hasTransaction, hasNamed, isExcluded) = (flags.next(), flags.next(), flags.next())
    let hasApp = flags.next()
    let customer = customer(in: symbols)
    var base: Int64 = 0
    let transaction = hasTransaction ? TransactionID(id(after: &base, in: symbols)) : nil
    var (named, chain): (NamedPurchase?, ChainKey?)
    if hasNamed {
      named = NamedPurchase(
        key: PurchaseKey(rawValue: signed()), purchasedAt: time(after: .epoch),
        isExcluded: isExcluded, app: hasApp ? BundleID(symbol(in: symbols)) : nil)
      chain = ChainKey(rawValue: signed())
    }
    return KnownReport(
      customer: customer, transactionID: transaction, named: named, namedChain: chain)
  }

  /// Reads the verdict on a placed report.
  mutating func storedVerdict() -> StoredVerdict {
    var flags = flags()
    let verdict = verdict(flags.number)
    let (hasReference, hasPlace, isConfirmed) = (flags.next(), flags.next(), flags.next())
    let hasInstalment = flags.next()
    let isOutnumbered = !isConfirmed && byte() == 1
    let reference = hasReference ? Milliunits(signed()) : nil
    let place = hasPlace ? Storefront(rawValue: code()) : nil
    return StoredVerdict(
      verdict: verdict, reference: reference, place: place, isConfirmed: isConfirmed,
      isOutnumbered: isOutnumbered, instalment: hasInstalment ? instalment() : nil)
  }

  private mutating func instalment() -> Instalment? {
    let (count, length) = (signed(), signed())
    guard let unit = Period.Unit(rawValue: byte()), let count = Int32(exactly: count),
      let period = Int(exactly: length).flatMap({ Period($0, unit) })
    else {
      giveUp()
      return nil
    }
    return Instalment(count: count, length: period)
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
  /// The number of the verdict in bodies, below 16.
  fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }
}
