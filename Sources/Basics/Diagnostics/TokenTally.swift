/// The tally of a file's signed transactions, renewal states and notifications.
///
/// Example: a file of 40 tokens, one of them forged, has 39 verified and 1 rejected.
public struct TokenTally: Hashable, Sendable {
  /// Tokens with a valid signature.
  public var verified = 0
  /// Tokens accepted without a signature check.
  public var trusted = 0
  /// Decoded payloads without a signature.
  public var unsigned = 0
  /// Unusable tokens, and records without any token.
  public var rejected = 0

  /// Creates a tally of zeros.
  public init() {}

  /// Whether every number is zero.
  public var isEmpty: Bool { self == TokenTally() }

  /// The four numbers of the tally, each with its name in documents and metrics, such as
  /// `verified`.
  public var counts: [(standing: String, count: Int)] {
    [
      ("verified", verified), ("trusted", trusted), ("unsigned", unsigned), ("rejected", rejected),
    ]
  }

  /// The numbers above zero, such as `39 verified, 1 rejected`; empty if all are zero.
  public var text: String {
    counts.filter { $0.count > 0 }.map { "\($0.count) \($0.standing)" }.joined(separator: ", ")
  }

  /// Adds the tally of another file.
  public mutating func add(_ other: TokenTally) {
    verified += other.verified
    trusted += other.trusted
    unsigned += other.unsigned
    rejected += other.rejected
  }
}
