/// Why nothing of a token is used.
public struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
  public let reason: Reason
  /// What was found, never a value of a customer: `2 certificates`, `purchaseDate`, `Xcode`.
  public let detail: String

  /// Describes a fault.
  public init(_ reason: Reason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }

  /// The sentence of the reason, with what was found.
  public var description: String {
    detail.isEmpty ? reason.sentence : "\(reason.sentence) (found: \(detail))"
  }
}

extension TokenFault {
  /// The stable codes of what can be wrong with a token; `Docs/signed.md` has a line for each.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    // The form of the token.
    /// Fewer than three parts, or a signature that is too short: the text was cut off.
    case truncated = "token_truncated"
    /// No compact JWS: more than three parts, or letters that base64url does not have.
    case malformed = "token_malformed"
    /// The header is larger than 16 KiB; Apple's has 4.4.
    case headerTooLarge = "token_header_too_large"
    /// The payload is larger than 1 MiB.
    case payloadTooLarge = "token_payload_too_large"
    /// The header is no JSON object with `alg` and `x5c`.
    case headerUnreadable = "token_header_unreadable"
    /// The header names another algorithm than ES256, such as `none`.
    case wrongAlgorithm = "token_algorithm"
    /// The header demands an extension (`crit`), and Apple demands none.
    case criticalExtension = "token_critical_extension"

    // Who signed it.
    /// The header has another number of certificates than three.
    case certificateCount = "token_certificate_count"
    /// A certificate cannot be read.
    case certificateUnreadable = "token_certificate_unreadable"
    /// The third certificate is none of the trusted roots.
    case rootNotTrusted = "token_root_not_trusted"
    /// The first certificate lacks Apple's mark 1.2.840.113635.100.6.11.1.
    case leafMarkMissing = "token_leaf_mark_missing"
    /// The second certificate lacks Apple's mark 1.2.840.113635.100.6.2.1.
    case intermediateMarkMissing = "token_intermediate_mark_missing"
    /// The certificates do not vouch for each other.
    case chainInvalid = "token_chain_invalid"
    /// The first certificate's key is no P-256 key, as ES256 needs.
    case wrongKeyKind = "token_key_kind"
    /// A certificate was not valid when the token was signed.
    case notValidAtSigning = "token_not_valid_at_signing"
    /// The signature is not that of header and payload.
    case wrongSignature = "token_signature_wrong"

    // What it says.
    /// The payload is no strict JSON object.
    case payloadUnreadable = "token_payload_unreadable"
    /// The payload is neither a transaction, nor a renewal, nor a notification.
    case payloadUnknown = "token_payload_unknown"
    /// The payload lacks a field that every one of its kind has.
    case fieldMissing = "token_field_missing"
    /// A field of the payload has a value that it cannot have.
    case fieldInvalid = "token_field_invalid"
    /// `signedDate` lies outside the years 1970 to 9999.
    case signedDateOutOfRange = "token_signed_date_out_of_range"
    /// The environment is Xcode or LocalTesting, which Apple does not sign.
    case environmentNotSigned = "token_environment_not_signed"
    /// The environment is none of those that were asked for.
    case wrongEnvironment = "token_environment"
    /// The app is none of those that were asked for.
    case wrongBundle = "token_bundle"
  }
}

extension TokenFault.Reason {
  /// What was expected, in one sentence.
  public var sentence: String {
    switch self {
    case .truncated: "the token is cut off: expected three parts and a whole signature"
    case .malformed: "the text is no token: expected three parts in base64url, joined by dots"
    case .headerTooLarge: "the token's header is larger than 16 KiB"
    case .payloadTooLarge: "the token's payload is larger than 1 MiB"
    case .headerUnreadable: "the token's header is no JSON object with alg and x5c"
    case .wrongAlgorithm: "the token is not signed with ES256"
    case .criticalExtension: "the token's header demands an extension, and Apple demands none"
    case .certificateCount: "the token does not carry exactly three certificates"
    case .certificateUnreadable: "a certificate of the token cannot be read"
    case .rootNotTrusted: "the token's root certificate is none of the trusted ones"
    case .leafMarkMissing: "the signer's certificate is none that Apple signs transactions with"
    case .intermediateMarkMissing: "the issuer's certificate is none of Apple's developer relations"
    case .chainInvalid: "the token's certificates do not vouch for each other"
    case .wrongKeyKind: "the signer's key is no P-256 key"
    case .notValidAtSigning: "a certificate of the token was not valid when it was signed"
    case .wrongSignature: "the signature is not that of the token: it was changed or forged"
    case .payloadUnreadable: "the token's payload is no JSON object"
    case .payloadUnknown: "the payload is neither a transaction, nor a renewal, nor a notification"
    case .fieldMissing: "the payload lacks a field that it needs"
    case .fieldInvalid: "a field of the payload has a value that it cannot have"
    case .signedDateOutOfRange: "signedDate lies outside the years 1970 to 9999"
    case .environmentNotSigned: "Apple did not sign it: it comes from a test in Xcode"
    case .wrongEnvironment: "the token is of an environment that is not wanted here"
    case .wrongBundle: "the token is of another app"
    }
  }
}
