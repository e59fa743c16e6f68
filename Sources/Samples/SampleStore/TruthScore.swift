/// A pipeline's row for one purchase, in plain values.
public struct ScoredPurchase: Hashable, Sendable {
  /// Any transaction id of the purchase.
  public var transactionID: String
  /// The amount of the row, in thousandths; `nil` if unknown.
  public var paidMilli: Int64?
  /// The currency of the amounts; `nil` is not known.
  public var currency: String?
  /// The price status: `exact`, `derived`, `unresolved` and so on.
  public var status: String
  /// The least that can have been paid, in thousandths.
  public var lowMilli: Int64
  /// The most; `nil` if no bound is known.
  public var highMilli: Int64?
  /// The rule that decided, such as `previous_renewal`.
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

/// The score of a pipeline against the truth of a synthetic store.
public struct TruthScore: Hashable, Sendable {
  /// Purchases of the truth that count as revenue.
  public var purchases = 0
  /// The number of those with the true amount, and the true currency if the row has any.
  public var right = 0
  /// Rows with another amount, or the amount in another currency.
  public var wrong = 0
  /// Wrong rows that claim to be exact: there must be none.
  public var wrongButExact = 0
  /// Rows without an amount.
  public var unresolved = 0
  /// Of the unresolved rows, those whose bounds do not hold the true amount: there must be none.
  public var outOfBounds = 0
  /// Purchases of the truth that the evidence must lead to.
  public var resolvable = 0
  /// Of those, rows with the true amount.
  public var resolvableRight = 0
  /// Of those, rows without an amount.
  public var unresolvedButResolvable = 0
  /// Purchases of the truth without a row.
  public var missing = 0
  /// Rows without a purchase in the truth, rows of excluded purchases, and second rows of a
  /// purchase.
  public var unexpected = 0
  /// Offer periods of the truth.
  public var offers = 0
  /// Of those, found with the true status and converting purchase.
  public var offersRight = 0
  /// Offer periods that the truth lacks.
  public var offersUnexpected = 0
  /// The first few deviations in words, for a test's message.
  public var examples: [String] = []

  /// The share of resolvable amounts that are right, in hundredths of a percent; 10,000 where
  /// nothing is resolvable.
  public var resolvableRightBasisPoints: Int {
    resolvable == 0 ? 10_000 : resolvableRight * 10_000 / resolvable
  }

  /// Compares a pipeline's rows with the truth.
  ///
  /// Rows are matched by any transaction id of a purchase. The result does not depend on the order
  /// of rows, but ``examples`` shows the first ones in theirs.
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
