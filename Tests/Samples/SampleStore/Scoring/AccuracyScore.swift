/// A line of the accuracy table: the accuracy of a pipeline on a store with a known truth.
///
/// Revenue is converted to micro-euros at the store's exchange rates. Purchases without an amount
/// in the pipeline's rows are left out of the error of revenue; ``absentRevenue`` is their true
/// amount.
public struct AccuracyScore: Hashable, Sendable {
  /// The number of revenue purchases in the truth that were not free.
  public var paid = 0
  /// The number of paid purchases with an amount that the exports determine.
  public var resolvable = 0
  /// The number of resolvable purchases whose row has the true amount and currency.
  public var resolvableRight = 0
  /// The number of rows whose amount is inferred from other customers' prices.
  public var inferred = 0
  /// The number of inferred rows with a wrong amount or currency.
  public var inferredWrong = 0
  /// The number of rows with status `exact` and a wrong amount or currency.
  public var lies = 0
  /// The number of rows without an amount.
  public var unresolved = 0
  /// The number of rows without an amount that have wrong bounds.
  ///
  /// The bounds exclude the true amount, or are in another currency.
  public var boundsBroken = 0
  /// The number of offer periods in the truth, as in ``TruthScore/offers``.
  public var offers = 0
  /// The number of offer periods that were found with the true status and converting purchase.
  public var offersRight = 0
  /// The number of revenue purchases in the truth without a row of the pipeline.
  public var missing = 0
  /// The number of rows that must not exist, as in ``TruthScore/unexpected``.
  public var unexpected = 0
  /// The true amount of all revenue purchases, in micro-euros.
  public var trueRevenue: Int64 = 0
  /// The sum of the amounts in the pipeline's rows, in micro-euros.
  public var foundRevenue: Int64 = 0
  /// The true sum of the purchases that have no amount in the pipeline's rows, in micro-euros.
  public var absentRevenue: Int64 = 0
  /// The number of deviations, keyed by kind.
  ///
  /// Example of a kind: `wrong price_history inferred, truly regular listed: lower`. The pipeline's
  /// row has the rule `price_history`, the status `inferred`, and an amount below the true amount.
  /// In the truth, the purchase has the kind `regular` and the ``TruthPurchase/evidence`` `listed`.
  public var deviations: [String: Int] = [:]

  /// Creates a score of zeros.
  public init() {}

  /// Compares a pipeline's rows with the truth.
  ///
  /// `perEuro` has the value of one euro in each currency, in millionths: 1.08 dollars → 1,080,000.
  public init(
    _ truth: StoreTruth, purchases rows: [ScoredPurchase], offers scored: [TruthOffer],
    perEuro: [String: Int64]
  ) {
    let base = TruthScore(truth, purchases: rows, offers: scored)
    lies = base.wrongButExact
    missing = base.missing
    unexpected = base.unexpected
    offers = base.offers
    offersRight = base.offersRight
    var rowOf: [String: ScoredPurchase] = [:]
    for row in rows { rowOf[row.transactionID] = row }
    func euros(_ milli: Int64, _ currency: String?) -> Int64 {
      guard let currency, let rate = currency == "EUR" ? 1_000_000 : perEuro[currency], rate > 0
      else { return 0 }
      let whole = milli.multipliedFullWidth(by: 1_000_000_000)
      return rate.dividingFullWidth(whole).quotient
    }
    for purchase in truth.purchases where purchase.exclusion.isEmpty {
      let worth = euros(purchase.paidMilli, purchase.currency)
      let row = purchase.transactionIDs.lazy.compactMap { rowOf[$0] }.first
      trueRevenue += worth
      if let row, let amount = row.paidMilli {
        foundRevenue += euros(amount, row.currency ?? purchase.currency)
      } else {
        absentRevenue += worth
      }
      compare(row, purchase)
    }
  }

  private mutating func compare(_ row: ScoredPurchase?, _ truth: TruthPurchase) {
    let isPaid = truth.paidMilli > 0
    let isOtherCurrency = isPaid && row?.currency.map { $0 != truth.currency } ?? false
    paid += isPaid ? 1 : 0
    resolvable += isPaid && truth.isResolvable ? 1 : 0
    guard let row else { return note("missing", nil, truth, "") }
    if row.status == "inferred" { inferred += 1 }
    guard let amount = row.paidMilli else {
      unresolved += 1
      let isBounded = row.lowMilli > 0 || row.highMilli != nil
      let isOutside =
        row.lowMilli > truth.paidMilli || row.highMilli.map { $0 < truth.paidMilli } ?? false
      if isOtherCurrency ? isBounded : isOutside {
        boundsBroken += 1
        note("bounds", row, truth, isOtherCurrency ? "other currency" : "")
      }
      if truth.isResolvable { note("unknown", row, truth, "") }
      return
    }
    guard amount != truth.paidMilli || isOtherCurrency else {
      resolvableRight += isPaid && truth.isResolvable ? 1 : 0
      return
    }
    if row.status == "inferred" { inferredWrong += 1 }
    note("wrong", row, truth, isOtherCurrency ? "other currency" : kind(amount, truth.paidMilli))
  }

  private func kind(_ amount: Int64, _ paid: Int64) -> String {
    switch amount {
    case 0: "nothing"
    case paid * 100: "hundredfold"
    case (paid / 2 - 10)...(paid / 2 + 10): "half"
    case ..<paid: "lower"
    default: "higher"
    }
  }

  private mutating func note(
    _ what: String, _ row: ScoredPurchase?, _ truth: TruthPurchase, _ how: String
  ) {
    var text = what
    if let row { text += " \(row.rule) \(row.status)" }
    text += ", truly \(truth.kind) \(truth.evidence)"
    deviations[how.isEmpty ? text : text + ": " + how, default: 0] += 1
  }

  /// Adds the score of another store.
  public static func += (left: inout AccuracyScore, right: AccuracyScore) {
    left.paid += right.paid
    left.resolvable += right.resolvable
    left.resolvableRight += right.resolvableRight
    left.inferred += right.inferred
    left.inferredWrong += right.inferredWrong
    left.lies += right.lies
    left.unresolved += right.unresolved
    left.boundsBroken += right.boundsBroken
    left.offers += right.offers
    left.offersRight += right.offersRight
    left.missing += right.missing
    left.unexpected += right.unexpected
    left.trueRevenue += right.trueRevenue
    left.foundRevenue += right.foundRevenue
    left.absentRevenue += right.absentRevenue
    left.deviations.merge(right.deviations, uniquingKeysWith: +)
  }
}
