public import CivilTime

/// The state of one raw receipt record.
public struct QuestionStanding: Hashable, Sendable {
  /// The progress of a record.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Asked in vain, or not yet; to be requested again.
    case pending
    /// Apple has answered.
    case answered
    /// Never to be requested again.
    case rejected
  }

  /// The progress of the record.
  public var state: State
  /// The time at which that was last decided.
  public var decidedAt: Instant
}

/// A raw receipt record that has no answer.
public struct OpenQuestion: Hashable, Sendable {
  /// The file it last occurred in.
  public var fileName: String
  /// Its line there; 1-based.
  public var line: Int
  /// Pending or rejected.
  public var state: QuestionStanding.State
  /// The reason, as a stable word.
  public var reason: String
}

/// The file and line in which a record occurred.
public struct RecordPlace: Hashable, Sendable {
  /// The SHA-256 of the record.
  public var key: [UInt8]
  /// The file.
  public var fileName: String
  /// Its line there; 1-based.
  public var line: Int

  /// Creates a place from its fields.
  public init(key: [UInt8], fileName: String, line: Int) {
    self.key = key
    self.fileName = fileName
    self.line = line
  }
}
