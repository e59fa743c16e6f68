/// Detects that Apple cannot be reached, so that a run does not try every receipt.
struct OutageWatch: Hashable, Sendable {
  private let patience: Int
  private var inARow = 0
  private var settled = 0
  private var givenUp = 0

  /// Creates a watch; `patience` is the number of consecutive unsettled receipts after which it
  /// gives up.
  init(patience: Int) {
    precondition(patience >= 1, "at least one receipt per probe")
    self.patience = patience
  }

  /// Adds a receipt for which Apple returned a final status.
  mutating func receiptSettled() {
    settled += 1
    inARow = 0
  }

  /// Counts a receipt that stays pending after all its attempts.
  mutating func receiptGivenUp() {
    givenUp += 1
    inARow += 1
  }

  /// Whether to stop sending requests in this run.
  var isOut: Bool { inARow >= patience }

  /// Whether Apple could not be reached: the run stopped, or it sent requests but settled nothing.
  var isUnreachable: Bool { isOut || (givenUp > 0 && settled == 0) }
}
