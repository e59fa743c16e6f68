/// A pipeline's row for one purchase, in plain values.
public struct ScoredPurchase: Hashable, Sendable {
  /// Any transaction id of the purchase.
  public var transactionID: String
  /// The amount that the pipeline decided, in thousandths of the currency; `nil` if unknown.
  public var paidMilli: Int64?
  /// The currency of the amounts; `nil` if unknown.
  public var currency: String?
  /// The price status: `exact`, `derived`, `unresolved` and so on.
  public var status: String
  /// The smallest amount that can have been paid, in thousandths.
  public var lowMilli: Int64
  /// The largest amount, in thousandths; `nil` if no bound is known.
  public var highMilli: Int64?
  /// The rule that found the amount, such as `previous_renewal`.
  public var rule: String

  /// Creates a row of the warehouse from its fields.
  public init(
    transactionID: String, paidMilli: Int64?, currency: String? = nil, status: String,
    lowMilli: Int64, highMilli: Int64?, rule: String = ""
  ) {
    self.transactionID = transactionID
    self.paidMilli = paidMilli
    self.currency = currency
    self.status = status
    self.lowMilli = lowMilli
    self.highMilli = highMilli
    self.rule = rule
  }
}

/// Compares the facts of a pipeline with the truth of a synthetic store.
public struct TruthScore: Hashable, Sendable {
  /// The number of revenue purchases in the truth.
  public var purchases = 0
  /// The number of rows with the true amount, and with the true currency if the row has a currency.
  public var right = 0
  /// The number of rows with a wrong amount or a wrong currency.
  public var wrong = 0
  /// The number of wrong rows with status `exact`; it must be 0.
  public var wrongButExact = 0
  /// The number of rows without an amount.
  public var unresolved = 0
  /// The number of unresolved rows whose bounds exclude the true amount; it must be 0.
  public var outOfBounds = 0
  /// The number of purchases with an amount that the evidence determines.
  public var resolvable = 0
  /// The number of resolvable purchases with a row that has the true amount.
  public var resolvableRight = 0
  /// The number of resolvable purchases with a row that has no amount.
  public var unresolvedButResolvable = 0
  /// The number of true revenue purchases for which the pipeline wrote no row.
  public var missing = 0
  /// The number of rows that must not exist.
  ///
  /// These are rows without a true purchase, rows of excluded purchases, and second rows of a
  /// purchase.
  public var unexpected = 0
  /// The number of offer periods in the truth, except open ones whose result no export shows.
  ///
  /// A row that calls such an offer `pending` is neither right nor wrong. A row that states
  /// a result is compared with the truth.
  public var offers = 0
  /// The number of offer periods that were found with the true status and converting purchase.
  public var offersRight = 0
  /// The number of found offer periods that the truth lacks.
  public var offersUnexpected = 0
  /// The first twenty deviations as text, for a test's message.
  public var examples: [String] = []

  /// The rate of right amounts among the resolvable amounts, in hundredths of a percent.
  ///
  /// 10,000 if no amount is resolvable.
  public var resolvableRightBasisPoints: Int {
    resolvable == 0 ? 10_000 : resolvableRight * 10_000 / resolvable
  }

  /// Compares a pipeline's rows with the truth.
  ///
  /// Rows and purchases are matched by any transaction id of the purchase. Only ``examples``
  /// depends on the order of the rows.
  public init(_ truth: StoreTruth, purchases rows: [ScoredPurchase], offers scored: [TruthOffer]) {
    var positionOf: [String: Int] = [:]
    for (position, purchase) in truth.purchases.enumerated() {
      for id in purchase.transactionIDs { positionOf[id] = position }
    }
    var isFound = [Bool](repeating: false, count: truth.purchases.count)
    for row in rows {
      guard let position = positionOf[row.transactionID], !isFound[position],
        truth.purchases[position].exclusion.isEmpty
      else {
        unexpected += 1
        note("unexpected row \(row.transactionID)")
        continue
      }
      isFound[position] = true
      score(row, truth.purchases[position])
    }
    for (position, purchase) in truth.purchases.enumerated() where purchase.exclusion.isEmpty {
      purchases += 1
      resolvable += purchase.isResolvable ? 1 : 0
      guard !isFound[position] else { continue }
      missing += 1
      note("no row for \(purchase.transactionIDs.joined(separator: "/"))")
    }
    score(scored, truth, positionOf)
  }

  private mutating func score(_ row: ScoredPurchase, _ truth: TruthPurchase) {
    let paid = truth.paidMilli
    let isOtherCurrency = paid != 0 && row.currency.map { $0 != truth.currency } ?? false
    guard let amount = row.paidMilli else {
      unresolved += 1
      if !isOtherCurrency, row.lowMilli > paid || row.highMilli.map({ $0 < paid }) ?? false {
        outOfBounds += 1
        note("\(row.transactionID): the true \(paid) \(truth.currency) is out of bounds")
      }
      guard truth.isResolvable else { return }
      unresolvedButResolvable += 1
      note("\(row.transactionID): unresolved, \(paid) \(truth.currency) could be known")
      return
    }
    guard amount != paid || isOtherCurrency else {
      right += 1
      resolvableRight += truth.isResolvable ? 1 : 0
      return
    }
    wrong += 1
    wrongButExact += row.status == "exact" ? 1 : 0
    note(
      "\(row.transactionID): \(amount) \(row.currency ?? "?") \(row.status), "
        + "true is \(paid) \(truth.currency)\(truth.isResolvable ? ", resolvable" : "")")
  }

  private mutating func score(
    _ scored: [TruthOffer], _ truth: StoreTruth, _ positionOf: [String: Int]
  ) {
    offers = truth.offers.count
    var offerOf: [Int: TruthOffer] = [:]
    for offer in truth.offers {
      if let position = positionOf[offer.transactionID] { offerOf[position] = offer }
    }
    for offer in scored {
      guard let position = positionOf[offer.transactionID],
        let expected = offerOf.removeValue(forKey: position)
      else {
        offersUnexpected += 1
        note("unexpected offer period \(offer.transactionID)")
        continue
      }
      if !expected.isResultSeen, offer.status == "pending", offer.kind == expected.kind {
        offers -= 1
        continue
      }
      let converting = offer.convertedBy.isEmpty ? nil : positionOf[offer.convertedBy]
      let expectedConverting =
        expected.convertedBy.isEmpty ? nil : positionOf[expected.convertedBy]
      if offer.status == expected.status, offer.kind == expected.kind,
        converting == expectedConverting
      {
        offersRight += 1
      } else {
        note("offer \(offer.transactionID): \(offer.status), true is \(expected.status)")
      }
    }
    for position in offerOf.keys.sorted() {
      note("no offer period for \(truth.purchases[position].transactionIDs.joined(separator: "/"))")
    }
  }

  private mutating func note(_ text: String) {
    if examples.count < 20 { examples.append(text) }
  }
}
