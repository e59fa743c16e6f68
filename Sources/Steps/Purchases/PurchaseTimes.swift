internal import CivilTime
internal import PurchaseModel

/// The purchase times in the observations of one purchase, and whether they agree.
///
/// Times are compared in whole seconds: receipts of 2011 and 2012 have milliseconds, but
/// `latest_receipt_info` has whole seconds. The original purchase time in a restore may differ from
/// the other times by up to a minute.
struct PurchaseTimes {
  private var direct = Newest<Instant>()
  private var restored = Newest<Instant>()
  private var undated = Newest<Instant>()
  private var haveDirectConflict = false
  private var first = Instant.distantFuture
  private var last = Instant.distantPast

  var purchasedAt: Instant? { direct.value ?? restored.value ?? undated.value }

  var haveConflict: Bool {
    haveDirectConflict || (restored.value != nil && last.since(first) > restoreTolerance)
  }

  mutating func include(
    _ observation: TransactionObservation, form: PurchaseIdentity.Form, recency: Int64
  ) {
    guard form == .oneTime, isRestore(observation) else {
      if let known = direct.value, known.wholeSecond != observation.purchasedAt.wholeSecond {
        haveDirectConflict = true
      }
      direct.include(observation.purchasedAt, recency: recency)
      include(observation.purchasedAt)
      return
    }
    // A restore without the original purchase time cannot contradict the original.
    guard let original = observation.originalPurchasedAt else {
      undated.include(observation.purchasedAt, recency: recency)
      return
    }
    restored.include(original, recency: recency)
    include(original)
  }

  private mutating func include(_ time: Instant) {
    first = min(first, time)
    last = max(last, time)
  }
}

/// Returns true if a row of a product without renewals is a restore of an earlier purchase.
///
/// For a restore, Apple either assigns a new transaction id, or keeps the id and changes the
/// purchase date.
private func isRestore(_ observation: TransactionObservation) -> Bool {
  if observation.transactionID.number != observation.originalTransactionID.number { return true }
  guard let original = observation.originalPurchasedAt else { return false }
  return observation.purchasedAt.since(original) > restoreTolerance
}

private let restoreTolerance = Milliseconds.seconds(60)
