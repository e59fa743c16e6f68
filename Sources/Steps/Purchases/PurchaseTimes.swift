internal import CivilTime
internal import PurchaseModel

/// The purchase times that sightings state, and whether they agree.
///
/// Receipts of 2011 and 2012 have milliseconds where `latest_receipt_info` has whole seconds, so
/// times of one second are equal. A restore states the original's time with a difference of a few
/// seconds, so restored times may differ by a minute.
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

  mutating func see(_ sighting: PurchaseSighting, form: PurchaseIdentity.Form, age: Int64) {
    guard form == .oneTime, isRestore(sighting) else {
      if let known = direct.value, known.wholeSecond != sighting.purchasedAt.wholeSecond {
        haveDirectConflict = true
      }
      direct.see(sighting.purchasedAt, age: age)
      include(sighting.purchasedAt)
      return
    }
    // A restore without the time of the original purchase contradicts nothing.
    guard let original = sighting.originalPurchasedAt else {
      undated.see(sighting.purchasedAt, age: age)
      return
    }
    restored.see(original, age: age)
    include(original)
  }

  private mutating func include(_ time: Instant) {
    first = min(first, time)
    last = max(last, time)
  }
}

/// Whether a one-time row is a later delivery of an earlier purchase.
///
/// Apple gives a restore a transaction id of its own, or keeps the id and moves the purchase date.
private func isRestore(_ sighting: PurchaseSighting) -> Bool {
  if sighting.transactionID.number != sighting.originalTransactionID.number { return true }
  guard let original = sighting.originalPurchasedAt else { return false }
  return sighting.purchasedAt.since(original) > restoreTolerance
}

private let restoreTolerance = Milliseconds.seconds(60)
