/// Notices when Apple cannot be reached, so that a run does not try every receipt.
struct OutageWatch: Hashable, Sendable {
  private let patience: Int
  private var inARow = 0
  private var settled = 0
  private var givenUp = 0

  /// Gives up after a number of receipts in a row that no attempt settled.
  init(patience: Int) {
    precondition(patience >= 1, "at least one receipt per probe")
    self.patience = patience
  }

  /// Counts a receipt that Apple decided on.
  mutating func receiptSettled() {
    settled += 1
    inARow = 0
  }

  /// Counts a receipt that stays pending after all its attempts.
  mutating func receiptGivenUp() {
    givenUp += 1
    inARow += 1
  }

  /// Whether to send no more requests in this run.
  var isOut: Bool { inARow >= patience }

  /// Whether the run did not reach Apple: it sent requests but settled nothing, or it stopped.
  var isUnreachable: Bool { isOut || (givenUp > 0 && settled == 0) }
}
