public import Diagnostics

/// What one record of an export of signed transactions says.
public struct SignedRecord: Hashable, Sendable {
  /// What the record says around its tokens.
  public var context = RecordContext()
  /// What each token says, in the order of the record, those of notifications in their place.
  public var findings: [SignedFinding] = []

  /// A record without tokens.
  public init() {}
}

/// What one token says, or why it is not used.
public struct SignedFinding: Hashable, Sendable {
  /// On whose word a content stands.
  public enum Standing: String, Hashable, Sendable, CaseIterable {
    /// The signature is Apple's.
    case verified
    /// The file is trusted, and the signature was not looked at.
    case trusted
    /// There is no signature: a claim, never exact.
    case unsigned
  }

  /// Where in the record it stands.
  public var place: TokenPlace
  /// On whose word it stands; of a fault, what was tried.
  public var standing: Standing
  /// The content, or the fault.
  public var content: Result<SignedContent, TokenFault>

  /// Describes a finding.
  public init(
    place: TokenPlace, standing: Standing, content: Result<SignedContent, TokenFault>
  ) {
    self.place = place
    self.standing = standing
    self.content = content
  }
}

/// Why a whole record is unusable.
public struct RecordFault: Error, Hashable, Sendable {
  /// The code that it is rejected with; `wrongType` where it holds no token at all.
  public let reason: RejectReason
  /// The finding and its place, without a value of a customer.
  public let detail: String
}
