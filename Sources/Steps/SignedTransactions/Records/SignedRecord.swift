public import Diagnostics

/// The content of one record of an export of signed transactions.
public struct SignedRecord: Hashable, Sendable {
  /// The customer and the time that stand around its tokens.
  public var context = RecordContext()
  /// The finding for each token, in the order of the record, notifications' tokens in their place.
  public var findings: [SignedFinding] = []

  /// A record without tokens.
  public init() {}
}

/// The content of one token, or the reason why it is not used.
public struct SignedFinding: Hashable, Sendable {
  /// The proof of a content.
  public enum Standing: String, Hashable, Sendable, CaseIterable {
    /// The signature is Apple's.
    case verified
    /// The file is trusted, and the signature was not looked at.
    case trusted
    /// The payload has no signature: a claim, never exact.
    case unsigned
  }

  /// The path of its place in the record.
  public var place: TokenPlace
  /// The proof of it; for a fault, the attempted proof.
  public var standing: Standing
  /// The content, or the fault.
  public var content: Result<SignedContent, TokenFault>

  /// Creates a finding from its fields.
  public init(
    place: TokenPlace, standing: Standing, content: Result<SignedContent, TokenFault>
  ) {
    self.place = place
    self.standing = standing
    self.content = content
  }
}

/// The reason why a whole record is unusable.
public struct RecordFault: Error, Hashable, Sendable {
  /// The code that it is rejected with; `wrongType` if it holds no token at all.
  public let reason: RejectReason
  /// The finding and its place, without a value of a customer.
  public let detail: String
}
