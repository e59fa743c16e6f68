/// Finds the offer periods of one chain, and the result of each, such as `converted`.
struct OfferPeriods {
  /// The values of a row that decide whether an offer converts.
  struct Row {
    var id: Int64
    var kind: SamplePeriodKind
    var offerID: String
    var purchasedAt: Int64
    var endsAt: Int64
    var paid: Int64
  }

  /// The rows, sorted by purchase time.
  let rows: [Row]
  /// The time for which the results are computed, Unix milliseconds.
  let asOf: Int64
  /// Whether the chain's newest renewal state is in billing retry.
  let isRetrying: Bool
  /// Whether the exports show what followed the chain's last row.
  let isEndSeen: Bool

  /// Finds the offer periods of the chain, oldest first.
  func offers() -> [TruthOffer] {
    var offers: [TruthOffer] = []
    var index = 0
    while index < rows.count {
      let first = rows[index]
      var last = index
      guard first.kind.isOffer else {
        index += 1
        continue
      }
      while last + 1 < rows.count, rows[last + 1].kind == first.kind,
        rows[last + 1].offerID == first.offerID,
        rows[last + 1].purchasedAt - rows[last].endsAt <= 16 * BillingClock.day
      {
        last += 1
      }
      offers.append(outcome(of: index...last))
      index = last + 1
    }
    return offers
  }

  private func outcome(of period: ClosedRange<Int>) -> TruthOffer {
    let end = rows[period.upperBound].endsAt
    let isFree = rows[period].allSatisfy { $0.paid == 0 }
    let next = rows[(period.upperBound + 1)...].first {
      isFree ? $0.paid > 0 : $0.kind == .regular
    }
    let first = rows[period.lowerBound]
    var offer = TruthOffer(
      transactionID: String(first.id), kind: first.kind.rawValue, status: "converted",
      isResultSeen: isEndSeen || period.upperBound < rows.count - 1)
    if let next, next.purchasedAt <= end + 60 * BillingClock.day {
      offer.convertedBy = String(next.id)
    } else if end + 60 * BillingClock.day <= asOf {
      offer.status = "lapsed"
    } else {
      offer.status = isRetrying ? "billing_retry" : "pending"
    }
    return offer
  }
}
