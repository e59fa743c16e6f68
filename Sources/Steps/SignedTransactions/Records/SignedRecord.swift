public import Diagnostics

/// The content of one record of an export of signed transactions.
public struct SignedRecord: Hashable, Sendable {
  /// The customer and the time of receipt that the record contains outside of its tokens.
  public var context = RecordContext()
  /// The finding for each token, in the order of the record.
  ///
  /// If a token is a notification, the findings for the tokens inside follow the notification's
  /// finding.
  public var findings: [SignedFinding] = []

  /// Creates a record without tokens.
  public init() {}
}

/// The content of one token, or the reason why it is not used.
public struct SignedFinding: Hashable, Sendable {
  /// The reliability of a token.
  public enum ProofLevel: String, Hashable, Sendable, CaseIterable {
    /// The token has a valid signature of Apple.
    case verified
    /// The signature was not checked, because the pipeline trusts the file.
    case trusted
    /// The payload has no signature.
    ///
    /// Its price is a charge, which is exact only if another sender states the same amount, or if
    /// the pipeline trusts the file.
    case unsigned
  }

  /// The path of the token in the record.
  public var place: TokenPath
  /// The reliability of the token.
  ///
  /// A faulty token has the level that it would have without the fault.
  public var proofLevel: ProofLevel
  /// The content of the token, or its fault.
  public var content: Result<SignedContent, TokenFault>
}

/// The reason why a whole record is unusable.
public struct RecordFault: Error, Hashable, Sendable {
  /// The reason for the rejection; `wrongType` if the record has no token.
  public let reason: RejectReason
  /// The unexpected content or its position, such as `byte 120`; without customers' data.
  public let detail: String
}
