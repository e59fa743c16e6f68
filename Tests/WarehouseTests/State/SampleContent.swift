@testable import StateStore
import Amounts
import CivilTime
import Diagnostics
import PurchaseModel
import TestSupport

/// Files with random content that depends only on a seed: fields that are absent or present,
/// numeric and other ids, times before 1970 and with odd milliseconds, histories that are repeated.
enum SampleContent {
  static func file(seed: UInt64, kind: InputFile.Kind = .receipts, records: Int = 12)
    -> IncomingFile
  {
    var builder = ContentBuilder(seed: seed)
    var tally = RecordTally()
    tally.used = records
    tally.duplicates = 1
    tally.rejected = 2
    return IncomingFile(
      sha256: hash(seed), kind: kind, name: "export-\(seed).ndjson.gz",
      exportDate: CivilDay(year: 2024, month: 5, day: Int(seed % 28) + 1), bytes: Int64(seed) + 100,
      tally: tally,
      rejects: [
        Reject(line: 7, reason: .invalidJSON, detail: "at byte 12"),
        Reject(line: 7, reason: .rowInvalidFlag, detail: "is_trial_period"),
      ],
      content: builder.content(records: records))
  }

  /// A text that looks like a hash; its order differs from the order of the seeds.
  static func hash(_ seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed ^ 0xABCD)
    return (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

private struct ContentBuilder {
  private var generator: SeededGenerator
  private var set = Observations()
  private var history: [TransactionObservation] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func content(records: Int) -> Observations {
    for record in 0..<records {
      let line = Int32(record / 2 + 1)  // two records share a line, as in an array on one line
      set.records.append(
        ReceiptRecord(
          source: SourceLine(file: 0, line: line), ordinal: Int32(record), snapshotAt: instant(),
          customer: maybe { $0.customer() }, storefront: maybe { $0.storefront() },
          bundle: maybe { BundleID($0.symbol("bundle", 2)) }, isSandbox: chance(4)))
      // Every third customer is an account token.
      set.records[record].isAccountToken =
        record.isMultiple(of: 3) && set.records[record].customer != nil
      for _ in 0..<below(7) { addRow(to: record) }
      for _ in 0..<below(3) { addRenewal(to: record) }
    }
    for index in 0..<records { addReport(line: Int32(index + 1)) }
    return set
  }

  private mutating func addRow(to record: Int) {
    var row = history.isEmpty || chance(2) ? newRow() : history[below(history.count)]
    row.record = Int32(record)
    row.rank = chance(2) ? .inApp : .latest
    history.append(row)
    set.observations.append(row)
  }

  private mutating func newRow() -> TransactionObservation {
    let transaction = TransactionID(id())
    let original = chance(3) ? transaction.number : chain()
    var row = TransactionObservation(
      record: 0, rank: .inApp, transactionID: transaction,
      originalTransactionID: OriginalTransactionID(original),
      productID: ProductID(symbol("product", 3)), purchasedAt: instant())
    row.isTrialPeriod = flag()
    row.isInIntroOfferPeriod = flag()
    row.isUpgraded = flag()
    row.lineItemID = maybe { LineItemID($0.id()) }
    row.originalPurchasedAt = maybe { $0.instant() }
    row.expiresAt = maybe { $0.instant() }
    row.cancelledAt = maybe { $0.instant() }
    row.cancellationReason = maybe { $0.symbol("reason", 2) }
    row.promotionalOfferID = maybe { OfferID($0.symbol("offer", 3)) }
    row.offerCodeRefName = maybe { OfferID($0.symbol("offer", 3)) }
    row.subscriptionGroupID = maybe { SubscriptionGroupID($0.symbol("group", 2)) }
    row.quantity = chance(3) ? Int32(below(1_000_000) + 1) : 1
    switch below(4) {
    case 0: row.ownership = .purchased
    case 1: row.ownership = .familyShared
    case 2: row.ownership = .unrecognized(symbol("ownership", 2))
    default: row.ownership = nil
    }
    return row
  }

  private mutating func addRenewal(to record: Int) {
    var renewal = RenewalObservation(
      record: Int32(record), originalTransactionID: OriginalTransactionID(chain()))
    renewal.productID = maybe { ProductID($0.symbol("product", 3)) }
    renewal.autoRenewProductID = maybe { ProductID($0.symbol("product", 3)) }
    renewal.autoRenewStatus = flag()
    renewal.expirationIntent = maybe { $0.symbol("intent", 3) }
    renewal.isInBillingRetry = flag()
    renewal.gracePeriodExpiresAt = maybe { $0.instant() }
    renewal.priceConsentStatus = maybe { $0.symbol("consent", 2) }
    renewal.priceIncreaseStatus = maybe { $0.symbol("consent", 2) }
    if chance(4) { renewal.commitment = commitment() }
    set.renewals.append(renewal)
  }

  /// Returns the next year of a commitment plan, with at least one field.
  private mutating func commitment() -> NextCommitment {
    var commitment = NextCommitment()
    commitment.autoRenewStatus = flag()
    commitment.renewsAt = maybe { $0.instant() }
    commitment.price = maybe {
      SignedPrice(
        amount: Milliunits(Int64($0.below(100_000))),
        currency: Currency("EUR") ?? Currency(rawValue: 0))
    }
    commitment.billingPlan = chance(2) ? .monthly : .upfront
    return commitment
  }

  /// Adds a report from a small pool, so that equal reports occur within a file and in several
  /// files.
  private mutating func addReport(line: Int32) {
    let pool = below(40)
    var outer = self
    var inner = ContentBuilder(seed: 90_000 + UInt64(pool))
    inner.set = set
    let start = inner.set.offers.count
    for offer in 0..<inner.below(3) {
      inner.set.offers.append(
        OfferPrice(
          offerID: offer == 0 ? nil : OfferID(inner.symbol("offer", 3)),
          price: Milliunits(Int64(inner.below(100_000))),
          paymentMode: PaymentMode(rawValue: UInt8(inner.below(3))) ?? .freeTrial,
          numberOfPeriods: inner.maybe { Int32($0.below(12) + 1) },
          period: inner.maybe { Period($0.below(400) + 1, $0.chance(2) ? .day : .month) } ?? nil))
    }
    let isCharge = inner.chance(3)
    let senders: [ChargeSender] = [.owner, .service, .apple]
    inner.set.reports.append(
      PriceReport(
        evidenceID: Int64(pool + 1), source: SourceLine(file: 0, line: line),
        customer: inner.maybe { $0.customer() },
        transactionID: inner.maybe { TransactionID($0.id()) },
        productID: ProductID(inner.symbol("product", 3)),
        storefront: inner.maybe { $0.storefront() },
        currency: Currency("USD") ?? Currency(rawValue: 0), reportedAt: inner.instant(),
        price: Milliunits(Int64(inner.below(1_000_000_000))),
        meaning: isCharge ? .charged : .list, sender: isCharge ? senders[inner.below(3)] : .app,
        isTrusted: isCharge && inner.chance(2),
        appliedDiscount: inner.maybe { OfferID($0.symbol("offer", 3)) },
        offers: start..<inner.set.offers.count))
    outer.set = inner.set
    self = outer
  }

  // MARK: Values

  private mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
  private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
  private mutating func flag() -> Bool? { [nil, false, true][below(3)] }

  private mutating func maybe<Value>(_ value: (inout ContentBuilder) -> Value) -> Value? {
    chance(2) ? value(&self) : nil
  }

  private mutating func symbol(_ name: String, _ count: Int) -> Symbol {
    set.symbols.intern("\(name)-\(below(count))")
  }

  /// Customers have the same texts as products; they must not get the same symbol.
  private mutating func customer() -> CustomerID {
    CustomerID(chance(4) ? symbol("product", 3) : symbol("customer", 20))
  }

  private mutating func storefront() -> Storefront {
    Storefront(["USA", "DEU", "JPN"][below(3)]) ?? Storefront(rawValue: 0)
  }

  private mutating func chain() -> AppleNumber {
    chance(5)
      ? AppleNumber("2000000000000000000\(below(3))", symbols: &set.symbols)
      : AppleNumber("10000008313\(50000 + below(6))", symbols: &set.symbols)
  }

  private mutating func id() -> AppleNumber {
    switch below(8) {
    case 0: AppleNumber("9999999999999999999\(below(9))", symbols: &set.symbols)  // 20 digits
    case 1: AppleNumber("made-up-\(below(9))", symbols: &set.symbols)
    case 2: AppleNumber("0", symbols: &set.symbols)
    case 3: AppleNumber("999999999999999999", symbols: &set.symbols)
    default: AppleNumber("\(1_000_000_000_000 + below(1_000_000))", symbols: &set.symbols)
    }
  }

  private mutating func instant() -> Instant {
    switch below(6) {
    case 0: .distantPast
    case 1: .distantFuture
    case 2: Instant(milliseconds: -Int64(below(1_000_000_000)))
    case 3: Instant(milliseconds: 1_620_000_000_123 + Int64(below(1_000_000)))
    default: Instant(milliseconds: 1_620_000_000_000 + Int64(below(100_000)) * 1000)
    }
  }
}
