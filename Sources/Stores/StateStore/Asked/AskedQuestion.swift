public import CivilTime

/// The identity of a question to Apple.
public struct AskedKey: Hashable, Sendable {
  /// The service of Apple's that is asked.
  public enum Service: String, Hashable, Sendable {
    /// verifyReceipt; the key is the SHA-256 of a raw receipt.
    case receipts
    /// Get Transaction History; the key is the number of a chain.
    case histories
    /// Get Notification History; the key is an environment.
    case notifications
    /// App Store Connect's price lists; the key is the path and query of a page.
    case prices
  }

  /// The service that is asked.
  public let service: Service
  /// The key of the question among those of its service.
  public let bytes: [UInt8]

  /// Creates an identity from its fields.
  public init(_ service: Service, _ bytes: some Sequence<UInt8>) {
    self.service = service
    self.bytes = Array(bytes)
  }
}

/// The state of a question after the runs that asked it.
public struct AskedQuestion: Hashable, Sendable {
  /// The progress of a question.
  public enum State: String, Hashable, Sendable {
    /// Apple has not answered yet, or not all pages have been fetched; the next run asks again.
    case pending
    /// Apple has answered, with all pages.
    case answered
    /// Apple answered with the answer to another question: a chain of the same Apple account.
    case covered
    /// Apple or this program found the question invalid; later runs do not ask it.
    case rejected
  }

  /// The progress of the question.
  public var state: State
  /// The time at which the state was last recorded; of notifications, the end of the time span.
  public var at: Instant
  /// The reason why the question is pending or rejected, as a stable code.
  public var reason: String?
  /// The number of runs in which Apple answered that the receipt is perhaps malformed.
  public var doubtfulRuns = 0
  /// The environment that knows a chain, such as `production`; `nil` if unknown.
  public var environment: String?
  /// Apple's token for the next page; `nil` if there is none.
  public var cursor: String?
  /// The question whose answer has this chain, if the state is `covered`.
  public var lead: [UInt8]?
  /// The start of the time span of notifications.
  public var since: Instant?
  /// The path of the file in which a receipt occurred last.
  public var fileName: String?
  /// The receipt's line in that file; 1-based.
  public var line: Int?

  /// Creates the state of a question of which nothing else is known.
  public init(_ state: State, at: Instant) {
    self.state = state
    self.at = at
  }
}
