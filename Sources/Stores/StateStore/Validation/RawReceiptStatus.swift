public import CivilTime

/// The state of one raw receipt, and the time at which the state was last recorded.
public struct RawReceiptStatus: Hashable, Sendable {
  /// The progress of a raw receipt: without a response, with a response, or rejected.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Apple has not responded yet; a later run sends the receipt again.
    case pending
    /// Apple has responded to the receipt.
    case answered
    /// Apple or this program found the receipt invalid, so that later runs do not send the receipt.
    ///
    /// A run that reads receipts locally, without Apple, stores their states under separate keys.
    /// So a receipt that such a run rejects may still be sent to Apple, and the next local run
    /// checks it again.
    case rejected
  }

  /// The state: pending, answered or rejected.
  public var state: State
  /// The time at which the state was last recorded, UTC; the state may be unchanged.
  public var decidedAt: Instant
}

/// A raw receipt without a response.
public struct UnansweredReceipt: Hashable, Sendable {
  /// The path of the file in which the receipt occurred last.
  public var fileName: String
  /// The receipt's line in that file; 1-based.
  public var line: Int
  /// The state: pending or rejected.
  public var state: RawReceiptStatus.State
  /// The reason why there is no response, as a stable code.
  public var reason: String
}

/// The identity of a raw receipt, with the file and line in which it occurs.
public struct RecordPlace: Hashable, Sendable {
  /// The SHA-256 of the receipt's record; all bits are inverted if the receipt is read locally.
  public var key: [UInt8]
  /// The path of the file in which the receipt occurs.
  public var fileName: String
  /// The receipt's line in that file; 1-based.
  public var line: Int

  /// Creates an identity from its fields.
  public init(key: [UInt8], fileName: String, line: Int) {
    self.key = key
    self.fileName = fileName
    self.line = line
  }
}
