/// Detects that Apple cannot be reached, so that the run stops before it has tried every receipt.
struct OutageDetector: Hashable, Sendable {
  private let failureLimit: Int
  private var consecutiveFailures = 0
  private var settled = 0
  private var givenUp = 0

  /// Creates a detector.
  ///
  /// The detector stops the run after `failureLimit` consecutive receipts without a final status.
  init(failureLimit: Int) {
    precondition(failureLimit >= 1, "at least one receipt per probe")
    self.failureLimit = failureLimit
  }

  /// Adds a receipt for which Apple returned a final status.
  mutating func receiptSettled() {
    settled += 1
    consecutiveFailures = 0
  }

  /// Adds a receipt that stays pending after all its attempts.
  mutating func receiptGivenUp() {
    givenUp += 1
    consecutiveFailures += 1
  }

  /// Whether the run must stop, because too many consecutive receipts got no final status.
  var isOut: Bool { consecutiveFailures >= failureLimit }

  /// Whether Apple could not be reached.
  ///
  /// True if the run stopped early, or if all receipts that it sent got no final status.
  var isUnreachable: Bool { isOut || (givenUp > 0 && settled == 0) }
}
