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

extension PlacedReport {
  /// Codes a placed report without its evidence id and its voter.
  ///
  /// The voter is left out because voters are numbered differently in each run.
  mutating func coded(by coder: inout some BodyCoder, offers: inout [OfferPrice]) {
    let flags = coder.flags(
      Flags(
        place != nil, hasOwnPlace, isSigned, setAside != nil, productID.app != nil, isLongBefore,
        rivalPlace != nil, isLate))
    let more = coder.flags(Flags(instalment != nil, isAsked, isCharge))
    (hasOwnPlace, isSigned, isLongBefore, isLate) = (flags[1], flags[2], flags[5], flags[7])
    (isAsked, isCharge) = (more[1], more[2])
    coder.code(&instalment, if: more[0])
    coder.code(&time, after: .epoch)
    coder.code(&price)
    coder.code(&productID, hasApp: flags[4])
    coder.code(&currency)
    coder.code(&place, if: flags[0])
    coder.code(&rivalPlace, if: flags[6])
    coder.code(&setAside, if: flags[3])
    coder.code(&offers)
  }
}

extension BodyWriter {
  mutating func placed(_ report: PlacedReport, offers: some Collection<OfferPrice>) {
    var (report, offers) = (report, Array(offers))
    report.coded(by: &self, offers: &offers)
  }
}

extension BodyReader {
  /// Reads a placed report, without its voter.
  mutating func placed(_ evidenceID: Int64, offers: inout OfferLists) -> PlacedReport {
    var report = PlacedReport(
      evidenceID: evidenceID, time: .epoch, price: .zero, voter: Voter(-1), productID: .blank,
      currency: .blank, offers: offers.index(of: []), place: nil, hasOwnPlace: false)
    var list: [OfferPrice] = []
    report.coded(by: &self, offers: &list)
    report.offers = offers.index(of: list)
    return report
  }
}

extension KnownReport: BodyValue {
  static var blank: KnownReport { KnownReport(customer: nil, transactionID: nil) }

  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(
      Flags(
        transactionID != nil, named != nil, named?.isExcluded == true, named?.app != nil))
    coder.code(&customer)
    var base: Int64 = 0
    coder.code(&transactionID, after: &base, if: flags[0])
    guard flags[1] else { return }
    var (key, time) = (named?.key.rawValue ?? 0, named?.purchasedAt ?? .epoch)
    var (app, chain) = (named?.app, (namedChain ?? .none).rawValue)
    coder.code(&key)
    coder.code(&time, after: .epoch)
    coder.code(&app, if: flags[3])
    coder.code(&chain)
    named = NamedPurchase(
      key: PurchaseKey(rawValue: key), purchasedAt: time, isExcluded: flags[2], app: app)
    namedChain = ChainKey(rawValue: chain)
  }
}

extension StoredVerdict: BodyValue {
  static var blank: StoredVerdict {
    StoredVerdict(verdict: .blank, reference: nil, place: nil, isConfirmed: false)
  }

  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(
      Flags(
        reference != nil, place != nil, isConfirmed, instalment != nil, beside: verdict.number))
    verdict = coder.known(Verdict(number: flags.number), or: .blank)
    isConfirmed = flags[2]
    // Few reports differ from the price in force, so the flag takes a byte only in these.
    if !isConfirmed { isOutnumbered = coder.flags(Flags(isOutnumbered))[0] }
    if flags[0] {
      var milliunits = reference?.rawValue ?? 0
      coder.code(&milliunits)
      reference = Milliunits(milliunits)
    }
    coder.code(&place, if: flags[1])
    coder.code(&instalment, if: flags[3])
  }
}

extension BodyCoder {
  fileprivate mutating func code(_ instalment: inout Instalment?, if isPresent: Bool) {
    guard isPresent else { return }
    var (count, unit) = (instalment?.count ?? 0, instalment?.length.unit ?? .day)
    var length = instalment?.length.count ?? 0
    code(&count)
    code(&length)
    code(&unit)
    instalment = Period(Int(length), unit).map { Instalment(count: count, length: $0) }
    if instalment == nil { giveUp() }
  }
}
