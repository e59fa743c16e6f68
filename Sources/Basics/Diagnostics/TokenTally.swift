/// The account of a file's signed transactions, renewal states and notifications.
///
/// Example: a file of 40 tokens, of which one was forged, has 39 verified and 1 rejected.
public struct TokenTally: Hashable, Sendable {
  /// Tokens whose signature is right.
  public var verified = 0
  /// Tokens believed without a look at their signature.
  public var trusted = 0
  /// Decoded payloads: claims without a signature.
  public var unsigned = 0
  /// Unusable tokens, and records without any token.
  public var rejected = 0

  /// An empty account.
  public init() {}

  /// Whether nothing was counted.
  public var isEmpty: Bool { self == TokenTally() }

  /// The counts by the words that documents and metrics use.
  public var counts: [(standing: String, count: Int)] {
    [
      ("verified", verified), ("trusted", trusted), ("unsigned", unsigned), ("rejected", rejected),
    ]
  }

  /// `39 verified, 1 rejected`; empty for an empty account.
  public var text: String {
    counts.filter { $0.count > 0 }.map { "\($0.count) \($0.standing)" }.joined(separator: ", ")
  }

  /// Adds another account.
  public mutating func add(_ other: TokenTally) {
    verified += other.verified
    trusted += other.trusted
    unsigned += other.unsigned
    rejected += other.rejected
  }
}
