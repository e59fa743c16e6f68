internal import Amounts
internal import CivilTime
@testable internal import PaidAmounts
internal import PurchaseModel
@testable internal import Purchases

/// A row of a chain in the form of a test; days are counted from 2024-01-01T00:00:00Z.
struct Row {
  var kind: PeriodKind
  var from: Int64
  var to: Int64
  /// The amount paid in dollars; `nil` if unknown.
  var paid: Int64?
  var isTrial: Bool?
  var product: UInt32 = 0
  var reversal: Reversal?
  var spell: Int32 = 1
  var isSubscription = true
  var group: UInt32?

  static func trial(_ from: Int64, _ to: Int64) -> Row {
    Row(kind: .trial, from: from, to: to, paid: 0, isTrial: true)
  }

  static func paid(_ kind: PeriodKind, _ from: Int64, _ to: Int64, _ paid: Int64?) -> Row {
    Row(kind: kind, from: from, to: to, paid: paid, isTrial: false)
  }

  static func regular(_ from: Int64, _ to: Int64, paid: Int64? = 10) -> Row {
    Row(kind: .regular, from: from, to: to, paid: paid, isTrial: false)
  }

  func of(product: UInt32) -> Row { with { $0.product = product } }

  func refunded(on day: Int64) -> Row {
    with { $0.reversal = Reversal(kind: .refund, at: moment(day)) }
  }

  func upgraded(on day: Int64) -> Row {
    with { $0.reversal = Reversal(kind: .upgrade, at: moment(day)) }
  }

  func with(_ change: (inout Row) -> Void) -> Row {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A renewal state in the form of a test.
struct State {
  var on: Int64
  /// The last day on which the state was observed unchanged; `nil` if only on the first day.
  var seenUntil: Int64?
  var renews: Bool?
  var retry: Bool?
  var graceEnds: Int64?
}

/// Midnight UTC, a number of days after 2024-01-01.
func moment(_ day: Int64) -> Instant {
  Instant(milliseconds: 1_704_067_200_000 + day * 86_400_000)
}

/// The purchases, timelines and amounts of chains that a test defines row by row.
struct ChainFixture {
  var book = PurchaseHistory()
  var timelines = BillingTimelines()
  var amounts = PaidAmountResults()

  init(_ chains: [[Row]] = []) {
    for rows in chains { add(rows) }
  }

  mutating func add(
    _ rows: [Row], states: [State] = [], seen: Int64? = nil, customer: UInt32? = nil
  ) {
    let id = OriginalTransactionID(AppleNumber(rawValue: UInt64(book.chains.count + 1)))
    let firstRow = book.purchases.count
    let firstState = book.renewalStates.count
    for row in rows { add(row, chain: id) }
    for state in states {
      book.renewalStates.append(
        RenewalState(
          observedAt: moment(state.on), lastObservedAt: moment(state.seenUntil ?? state.on),
          productID: nil, autoRenewProductID: nil,
          autoRenewStatus: state.renews, expirationIntent: nil, isInBillingRetry: state.retry,
          gracePeriodExpiresAt: state.graceEnds.map(moment), priceConsentStatus: nil))
    }
    book.chains.append(
      Chain(
        originalTransactionID: id, rows: firstRow..<book.purchases.count,
        renewalStates: firstState..<book.renewalStates.count,
        customer: customer.map { CustomerID(Symbol(rawValue: $0)) }, household: nil,
        lastSeenAt: moment(seen ?? states.map { $0.seenUntil ?? $0.on }.max() ?? 0),
        beganAt: book.purchases[firstRow].purchasedAt, bundle: nil))
    book.revenueCount = book.purchases.count
    timelines.setAccessEnds(of: book.chains[book.chains.count - 1], book)
  }

  /// Adds offer periods; each has a chain and a range of its rows.
  mutating func offers(_ periods: [(chain: Int, rows: Range<Int>)]) {
    for period in periods {
      let start = book.chains[period.chain].rows.lowerBound
      let rows = start + period.rows.lowerBound..<start + period.rows.upperBound
      timelines.offerPeriods.append(
        OfferPeriod(
          chain: ChainPosition(period.chain), rows: rows,
          kind: timelines.rows[rows.lowerBound].kind,
          offerID: nil))
    }
  }

  private mutating func add(_ row: Row, chain: OriginalTransactionID) {
    let number = AppleNumber(rawValue: UInt64(1000 + book.purchases.count))
    book.purchases.append(
      Purchase(
        key: PurchaseKey(rawValue: Int64(book.purchases.count)),
        isSubscription: row.isSubscription, transactionID: TransactionID(number),
        originalTransactionID: chain, lineItemID: nil,
        productID: ProductID(Symbol(rawValue: row.product)), bundle: nil,
        subscriptionGroupID: row.group.map { SubscriptionGroupID(Symbol(rawValue: $0)) },
        purchasedAt: moment(row.from), expiresAt: row.isSubscription ? moment(row.to) : nil,
        cancelledAt: nil, cancellationReason: nil, isTrialPeriod: row.isTrial,
        isInIntroOfferPeriod: nil, isUpgraded: false, promotionalOfferID: nil,
        offerCodeRefName: nil, quantity: 1, exclusion: nil, conflict: nil,
        source: SourceLine(file: 0, line: 1)))
    timelines.rows.append(
      BillingTimeline(
        kind: row.kind, offerID: nil, coveredPeriod: nil, followsLapse: false,
        isBillingRecovery: false, spellNumber: row.isSubscription ? row.spell : nil,
        renewalNumber: nil, offerPeriod: nil, reversal: row.reversal))
    let paid = row.paid.map { Milliunits($0 * 1000) }
    amounts.amounts.append(
      PaidAmount(
        currency: Currency("USD"), storefront: nil, storefrontSource: .unknown,
        paymentMode: row.isTrial == true ? .freeTrial : .standard, listPrice: nil, paid: paid,
        low: paid ?? .zero, high: paid, status: paid == nil ? .unresolved : .exact,
        rule: paid == nil ? .unresolved : .reportedWithPurchase, evidence: nil, interval: nil,
        basis: nil))
  }
}
