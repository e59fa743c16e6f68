/// Detects that Apple cannot be reached, so that the run stops before all requests have failed.
///
/// The requests are about receipts, or about the histories of chains. In the method names, a
/// receipt means either of the two.
struct OutageDetector: Hashable, Sendable {
  private let failureLimit: Int
  private var consecutiveFailures = 0
  private var settled = 0
  private var givenUp = 0

  /// Creates a detector.
  ///
  /// The run must stop after `failureLimit` consecutive receipts or chains without a result.
  init(failureLimit: Int) {
    precondition(failureLimit >= 1, "at least one receipt per probe")
    self.failureLimit = failureLimit
  }

  /// Adds a receipt for which Apple returned a final status, or a chain for which Apple replied.
  mutating func receiptSettled() {
    settled += 1
    consecutiveFailures = 0
  }

  /// Adds a receipt or a chain that stays pending after all attempts.
  mutating func receiptGivenUp() {
    givenUp += 1
    consecutiveFailures += 1
  }

  /// Whether the run must stop, because too many consecutive receipts or chains had no result.
  var isOut: Bool { consecutiveFailures >= failureLimit }

  /// Whether Apple could not be reached.
  ///
  /// True if the run must stop, or if every receipt or chain in the run stayed pending.
  var isUnreachable: Bool { isOut || (givenUp > 0 && settled == 0) }
}
