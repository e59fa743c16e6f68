import SharedTables
import Amounts
import CivilTime
import Diagnostics
import PurchaseModel

@testable import PaidAmounts
@testable import PriceLearning
@testable import Purchases
@testable import Subscriptions

/// A hand-made store of seven purchases, small enough to check every number by hand.
///
/// - Chain 1000, customer c-1, pro.monthly: a week's trial on 2021-05-01, a month at 9.99 USD that
///   its own report names, and a renewal at 9.99 USD that was refunded on 2021-06-20.
/// - Chain 2000, customer c-2: a month at 9.99 USD bought 2021-05-01T00:00:00Z for 31 days,
///   upgraded on 2021-05-16T12:00:00Z, then a year at 59.99 USD.
/// - Chain `abc` without a customer: two coin packs of 120 JPY each.
/// - A sandbox purchase, which is excluded.
struct SampleFacts {
  var content: HandMadeContent
  let symbols: SymbolTable

  static let texts = [
    "abc", "abc-2", "c-1", "c-2", "coins", "com.example.pro", "pro.monthly", "pro.yearly", "1",
    "20611001", "win50",
  ]

  init(run: Int64 = 1) {
    var table = SymbolTable()
    for text in Self.texts.sorted() { _ = table.intern(text) }
    symbols = table
    var observations = Observations()
    observations.symbols = table
    observations.files = [
      InputFile(id: 7, name: "receipts.gz", sha256: "aa", kind: .receipts),
      InputFile(id: 3, name: "prices.gz", sha256: "bb", kind: .prices),
    ]
    content = HandMadeContent(
      observations: observations, asOf: at("2021-06-21T00:00:00Z"),
      customerKey: [UInt8](repeating: 7, count: 32), run: Self.run(run))
    addPurchases()
    addTimelines()
    addEvidence()
    addAmounts()
    addSubscriptions()
    content.files = Self.auditFiles
    content.rejects = [
      StoredReject(
        fileID: 7, line: 9, reasonCode: "row_invalid_date", detail: "expires_date_ms"),
      StoredReject(
        fileID: 7, line: 9, reasonCode: "row_invalid_date", detail: "purchase_date_ms"),
    ]
  }

  static func run(_ id: Int64, kind: RunKind = .run) -> PublishedRun {
    PublishedRun(
      runID: id, kind: kind, asOf: at("2021-06-21T00:00:00Z"),
      startedAt: at("2021-06-21T01:00:00Z"),
      finishedAt: at("2021-06-21T01:00:05Z"), programVersion: "1.0.0", rulesVersion: "1",
      settingsSHA256: "00", stateGeneration: 4)
  }

  static let auditFiles = [
    StoredFile(
      id: 7, sha256: "aa", kind: .receipts, name: "receipts.gz", status: .used, refusal: nil,
      exportDate: CivilDay(text: "2021-06-21"), bytes: 100,
      tally: tally(used: 4, duplicates: 1, rejected: 1), newestSnapshotAt: nil, firstRunID: 1),
    StoredFile(
      id: 3, sha256: "bb", kind: .prices, name: "prices.gz", status: .used, refusal: nil,
      exportDate: nil, bytes: 50, tally: tally(used: 2), newestSnapshotAt: nil, firstRunID: 1),
  ]

  private static func tally(used: Int, duplicates: Int = 0, rejected: Int = 0) -> RecordTally {
    var tally = RecordTally()
    (tally.used, tally.duplicates, tally.rejected) = (used, duplicates, rejected)
    return tally
  }

  // MARK: Names

  func symbol(_ text: String) -> Symbol { symbols.symbol(text) ?? Symbol(rawValue: .max) }
  func product(_ text: String) -> ProductID { ProductID(symbol(text)) }

  // MARK: Purchases

  /// Positions: 0…2 chain 1000, 3…4 chain 2000, 5 coins, 6 sandbox.
  private mutating func addPurchases() {
    let rows: [(key: Int64, id: UInt64, chain: UInt64, product: String, from: String, to: String?)]
    rows = [
      (900, 1000, 1000, "pro.monthly", "2021-05-01T10:00:00Z", "2021-05-08T10:00:00Z"),
      (100, 1001, 1000, "pro.monthly", "2021-05-08T10:00:00Z", "2021-06-08T10:00:00Z"),
      (500, 1002, 1000, "pro.monthly", "2021-06-08T10:00:00Z", "2021-07-08T10:00:00Z"),
      (300, 2000, 2000, "pro.monthly", "2021-05-01T00:00:00Z", "2021-06-01T00:00:00Z"),
      (200, 2001, 2000, "pro.yearly", "2021-05-16T12:00:00Z", "2022-05-16T12:00:00Z"),
    ]
    var book = PurchaseHistory()
    book.purchases = rows.map { row in
      purchase(
        key: row.key, id: AppleNumber(rawValue: row.id), chain: AppleNumber(rawValue: row.chain),
        product: row.product, from: row.from, to: row.to)
    }
    book.purchases[0].isTrialPeriod = true
    book.purchases[2].cancelledAt = at("2021-06-20T09:00:00Z")
    book.purchases[2].cancellationReason = symbol("1")
    book.purchases[3].isUpgraded = true
    var table = symbols
    let coins = AppleNumber("abc", symbols: &table)
    var bought = purchase(
      key: 400, id: coins, chain: coins, product: "coins", from: "2021-05-02T00:00:00Z", to: nil)
    bought.isSubscription = false
    bought.lineItemID = nil
    bought.quantity = 2
    book.purchases.append(bought)
    var sandbox = purchase(
      key: 600, id: AppleNumber(rawValue: 77), chain: AppleNumber(rawValue: 77),
      product: "pro.monthly", from: "2021-05-03T00:00:00Z", to: "2021-05-03T00:05:00Z")
    sandbox.exclusion = .sandbox
    book.purchases.append(sandbox)
    book.revenueCount = 6
    addChains(to: &book, coins: coins)
    content.purchases = book
  }

  private func addChains(to book: inout PurchaseHistory, coins: AppleNumber) {
    book.renewalStates = [
      state("2021-05-08T10:00:01Z", renews: true), state("2021-06-20T10:00:00.100Z", renews: true),
      state("2021-06-20T10:00:00.900Z", renews: false),
    ]
    book.chains = [
      chain(AppleNumber(rawValue: 1000), rows: 0..<3, states: 0..<3, customer: "c-1", in: book),
      chain(AppleNumber(rawValue: 2000), rows: 3..<5, states: 3..<3, customer: "c-2", in: book),
      chain(coins, rows: 5..<6, states: 3..<3, customer: nil, in: book),
    ]
    var table = symbols
    let ids: [(AppleNumber, Int)] = [
      (AppleNumber(rawValue: 77), 6), (AppleNumber(rawValue: 1000), 0),
      (AppleNumber(rawValue: 1001), 1), (AppleNumber(rawValue: 1002), 2),
      (AppleNumber(rawValue: 2000), 3), (AppleNumber(rawValue: 2001), 4),
      (AppleNumber(rawValue: 10_011), 1), (coins, 5),
      (AppleNumber("abc-2", symbols: &table), 5),
    ]
    book.aliases = ids.map {
      TransactionAlias(transactionID: TransactionID($0.0), purchase: RowPosition($0.1))
    }
  }

  private func purchase(
    key: Int64, id: AppleNumber, chain: AppleNumber, product: String, from: String, to: String?
  ) -> Purchase {
    Purchase(
      key: PurchaseKey(rawValue: key), isSubscription: true, transactionID: TransactionID(id),
      originalTransactionID: OriginalTransactionID(chain),
      lineItemID: LineItemID(AppleNumber(rawValue: 50_000 + id.rawValue % 10_000)),
      productID: self.product(product), bundle: BundleID(symbol("com.example.pro")),
      subscriptionGroupID: SubscriptionGroupID(symbol("20611001")), purchasedAt: at(from),
      expiresAt: to.map(at), isUpgraded: false, quantity: 1, source: SourceLine(file: 0, line: 5))
  }

  private func state(_ time: String, renews: Bool) -> RenewalState {
    RenewalState(
      observedAt: at(time), lastObservedAt: at(time), productID: product("pro.monthly"),
      autoRenewProductID: product("pro.monthly"), autoRenewStatus: renews)
  }

  private func chain(
    _ id: AppleNumber, rows: Range<Int>, states: Range<Int>, customer: String?,
    in book: PurchaseHistory
  ) -> Chain {
    Chain(
      originalTransactionID: OriginalTransactionID(id), rows: rows, renewalStates: states,
      customer: customer.map { CustomerID(symbol($0)) }, household: nil,
      lastSeenAt: at("2021-08-09T18:26:02Z"), beganAt: book.purchases[rows.lowerBound].purchasedAt,
      bundle: BundleID(symbol("com.example.pro")))
  }

  // MARK: Rules' results

  private mutating func addTimelines() {
    let month = Period(1, .month)
    var rows = [
      timeline(.trial, Period(7, .day), spell: 1), timeline(.regular, month, spell: 1, renewal: 1),
      timeline(.regular, month, spell: 1, renewal: 2),
      timeline(.regular, month, spell: 1, renewal: 1),
      timeline(.regular, Period(12, .month), spell: 1, renewal: 2), timeline(.oneTime, nil),
    ]
    rows[0].offerPeriod = 0
    rows[2].reversal = Reversal(kind: .refund, at: at("2021-06-20T09:00:00Z"))
    rows[3].reversal = Reversal(kind: .upgrade, at: at("2021-05-16T12:00:00Z"))
    content.timelines.rows = rows
    content.timelines.offerPeriods = [
      OfferPeriod(chain: ChainPosition(0), rows: 0..<1, kind: .trial)
    ]
    let names = ["pro.monthly", "pro.yearly", "coins"]
    content.products = ProductFacts(
      counts: month.map {
        [ProductFacts.Term(productID: product("pro.monthly"), period: $0): 1]
      } ?? [:],
      shownKinds: [
        product("pro.monthly"): .autoRenewableSubscription,
        product("pro.yearly"): .autoRenewableSubscription, product("coins"): .consumable,
      ],
      groups: Dictionary(
        uniqueKeysWithValues: names.map {
          (
            product($0),
            ProductFacts.NamedGroup(
              at: at("2021-05-01T00:00:00Z"), group: SubscriptionGroupID(symbol("20611001")))
          )
        }),
      sold: Dictionary(
        uniqueKeysWithValues: names.map {
          (ProductID(symbol($0), of: BundleID(symbol("com.example.pro"))), 1)
        }))
  }

  private func timeline(
    _ kind: PeriodKind, _ period: Period?, spell: Int32? = nil, renewal: Int32? = nil
  ) -> BillingTimeline {
    BillingTimeline(
      kind: kind, coveredPeriod: period, followsLapse: false, isBillingRecovery: false,
      spellNumber: spell, renewalNumber: renewal)
  }

  private mutating func addEvidence() {
    let offer = OfferPrice(
      offerID: OfferID(symbol("win50")), price: Milliunits(4990), paymentMode: .payUpFront,
      numberOfPeriods: 1, period: Period(3, .month))
    let intro = OfferPrice(
      offerID: nil, price: .zero, paymentMode: .freeTrial, numberOfPeriods: 1,
      period: Period(7, .day))
    content.observations.offers = [intro, offer]
    content.observations.reports = [
      PriceReport(
        evidenceID: 41, source: SourceLine(file: 1, line: 1), customer: CustomerID(symbol("c-1")),
        transactionID: TransactionID(AppleNumber(rawValue: 1001)),
        productID: product("pro.monthly"), storefront: Storefront("USA"), currency: usd,
        reportedAt: at("2021-05-08T10:00:05Z"), price: Milliunits(9990), appliedDiscount: nil,
        offers: 0..<2),
      PriceReport(
        evidenceID: 42, source: SourceLine(file: 1, line: 2), customer: nil, transactionID: nil,
        productID: product("pro.monthly"), storefront: nil, currency: usd,
        reportedAt: at("2021-05-09T10:00:05Z"), price: Milliunits(9_990_000), appliedDiscount: nil,
        offers: 2..<2),
    ]
    content.amounts.reports = [
      HandMadeContent.Report(report: 0, purchase: 1, reportVerdict: reportVerdict(.believed)),
      HandMadeContent.Report(report: 1, purchase: nil, reportVerdict: reportVerdict(.unitError)),
    ]
    content.amounts.intervals = [
      PriceInterval(
        productID: product("pro.monthly"), currency: usd,
        series: SeriesKey(MarketIndex(0), .regular, in: nil), from: nil, to: nil,
        endsAtCatalogueDate: false, price: Milliunits(9990), paymentMode: nil,
        length: OfferLength(numberOfPeriods: nil, period: nil), voters: 1, reports: 1,
        rejectedReports: 1, firstReport: 41, lastReportedAt: at("2021-05-08T10:00:00Z"))
    ]
  }

  private func reportVerdict(_ verdict: Verdict) -> ReportVerdict {
    var reportVerdict = ReportVerdict(place: nil)
    reportVerdict.verdict = verdict
    reportVerdict.reference = Milliunits(9990)
    return reportVerdict
  }

  private mutating func addAmounts() {
    content.amounts.amounts = [
      amount(0, .zeroByRule, .freeTrial, mode: .freeTrial),
      amount(9990, .exact, .reportedWithPurchase, evidence: 41),
      amount(9990, .derived, .previousRenewal, evidence: 41, basis: 1),
      amount(9990, .inferred, .priceHistory, evidence: 41),
      amount(59_990, .configured, .cataloguePrice),
      amount(240_000, .configured, .cataloguePrice, currency: Currency("JPY")),
    ]
  }

  private func amount(
    _ milli: Int64, _ status: PriceStatus, _ rule: PriceRule, mode: RowPaymentMode = .standard,
    evidence: Int64? = nil, basis: Int? = nil, currency: Currency? = usd
  ) -> PaidAmount {
    PaidAmount(
      currency: currency, storefront: Storefront("USA"), storefrontSource: .priceReport,
      paymentMode: mode, listPrice: Milliunits(9990), paid: Milliunits(milli),
      low: Milliunits(milli), high: Milliunits(milli), status: status, rule: rule,
      evidence: evidence, interval: nil, basis: basis.map(RowPosition.init))
  }

  private mutating func addSubscriptions() {
    content.subscriptions.paidNumbers = [nil, 1, 2, 1, 2, 1]
    content.subscriptions.conversions = [
      Conversion(
        offerPeriod: 0, offerNumber: 1, startedAt: at("2021-05-01T10:00:00Z"),
        endsAt: at("2021-05-08T10:00:00Z"), paymentMode: .freeTrial, offerPaid: .zero,
        status: .converted, convertedBy: RowPosition(1), isSameProduct: true, isContiguous: true,
        daysToConvert: 7, autoRenewStatus: false, maturesAt: at("2021-07-07T10:00:00Z"),
        isMature: false)
    ]
    content.subscriptions.subscriptions = [
      Subscription(
        chain: ChainPosition(0), subscriptionGroupID: SubscriptionGroupID(symbol("20611001")),
        firstStartedAt: at("2021-05-01T10:00:00Z"), firstTrialAt: at("2021-05-01T10:00:00Z"),
        firstPaidAt: at("2021-05-08T10:00:00Z"), current: RowPosition(2),
        currentProductID: product("pro.monthly"),
        status: .revoked, renewalState: 2, expiresAt: at("2021-07-08T10:00:00Z"), spells: 1,
        paidCount: 2),
      Subscription(
        chain: ChainPosition(1), subscriptionGroupID: nil,
        firstStartedAt: at("2021-05-01T00:00:00Z"), firstPaidAt: at("2021-05-01T00:00:00Z"),
        current: RowPosition(4), currentProductID: product("pro.yearly"),
        status: .active, expiresAt: at("2022-05-16T12:00:00Z"), spells: 1, paidCount: 2),
    ]
  }
}

let usd = Currency("USD") ?? Currency(rawValue: 0)

func at(_ text: String) -> Instant { Instant(text: text) ?? .epoch }
