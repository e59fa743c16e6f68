internal import CivilTime
internal import PurchaseModel

/// The cancellation of a purchase in its newest snapshot.
///
/// It can come from a row of `in_app` or of `latest_receipt_info`.
struct Cancellation {
  /// The recency of the newest snapshot.
  private(set) var recency = Int64.min
  private(set) var at: Instant?
  private(set) var reason: Symbol?

  mutating func include(_ observation: TransactionObservation, recency candidateRecency: Int64) {
    guard candidateRecency >= recency else { return }
    if candidateRecency > recency {
      recency = candidateRecency
      at = nil
      reason = nil
    }
    guard let cancelledAt = observation.cancelledAt else { return }
    if let at, at > cancelledAt { return }
    if let at, at == cancelledAt, let reason,
      reason >= observation.cancellationReason ?? reason
    {
      return
    }
    at = cancelledAt
    reason = observation.cancellationReason
  }
}
