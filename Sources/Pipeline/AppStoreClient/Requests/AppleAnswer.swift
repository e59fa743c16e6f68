/// A verifyReceipt response: its status and its text.
struct AppleAnswer: Hashable, Sendable {
  /// Apple's status of the whole receipt.
  let status: Int
  /// Apple's `is-retryable`: whether another request can succeed; `nil` if it is missing.
  let isRetryable: Bool?
  /// The response as one line of JSON.
  let text: [UInt8]

  /// Creates a response without `is-retryable`.
  init(status: Int, text: [UInt8]) {
    self.status = status
    isRetryable = nil
    self.text = text
  }

  /// Reads a response; `nil` if the bytes are not one complete JSON object with a status.
  init?(bytes: [UInt8]) {
    guard let fields = AnswerFields(bytes), let status = fields.status else { return nil }
    self.status = status
    isRetryable = fields.isRetryable
    text = ExportRecord.oneLine(bytes)
  }
}
