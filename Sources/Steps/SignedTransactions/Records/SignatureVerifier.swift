internal import Diagnostics
internal import CivilTime
internal import Crypto
internal import ExportReading

/// Verifies the signatures of Apple's tokens offline.
///
/// The signer's three certificates must lead to a trusted root, must have Apple's two extensions,
/// and must be valid at `signedDate`. The algorithm is always ES256, regardless of the header. All
/// threads can use one verifier.
///
/// A signer's certificates are validated once. After that each token costs one P-256 check.
public final class SignatureVerifier: Sendable {
  private let signers: SignerCache

  /// Creates a verifier that trusts the given roots.
  ///
  /// - Parameter roots: The trusted roots; tests pass the roots of test certificates.
  public init(roots: TrustedRoots = .apple) {
    signers = SignerCache(roots: roots)
  }

  /// Reads the content of a token, with or without checking its signature.
  ///
  /// - Parameters:
  ///   - isVerified: Whether the signature must be valid.
  func open(_ token: Span<UInt8>, isVerified: Bool, scratch: inout PaddedText)
    throws(TokenFault) -> SignedContent
  {
    let parts = try CompactToken(token)
    let signer = isVerified ? try signers.signer(of: token.extracting(parts.header)) : nil
    let isDecoded = scratch.fill { bytes in
      Base64Alphabet.token.decode(token.extracting(parts.payload), into: &bytes)
    }
    guard isDecoded else { throw TokenFault(.tokenMalformed) }
    let content = try SignedContent(scratch)
    let signedAt = try Self.signedAt(content, scratch: &scratch)
    guard let signer else { return content }
    guard signer.validity.contains(signedAt ?? signer.validity.lowerBound) else {
      throw TokenFault(.tokenNotValidAtSigning)
    }
    var signature: [UInt8] = []
    guard Base64Alphabet.token.decode(token.extracting(parts.signature), into: &signature),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { throw TokenFault(.tokenMalformed) }
    var digest = SHA256()
    let signed = token.extracting(parts.signed)
    unsafe signed.withUnsafeBytes { unsafe digest.update(bufferPointer: $0) }
    guard signer.key.isValidSignature(signature, for: digest.finalize()) else {
      throw TokenFault(.tokenWrongSignature)
    }
    return content
  }

  /// The time at which a payload was signed; `nil` for a notification without a time.
  ///
  /// Notifications before 2022-04 have no `signedDate`. They were signed together with their
  /// tokens, so the newest `signedDate` of a notification's tokens is used.
  private static func signedAt(
    _ content: SignedContent, scratch: inout PaddedText
  ) throws(TokenFault) -> Instant? {
    if let signedAt = content.signedAt { return signedAt }
    guard case .notification(let notification) = content else {
      throw TokenFault(.tokenFieldMissing, "signedDate")
    }
    var newest: Instant?
    for case .token(let bytes) in notification.tokens.map(\.text) {
      guard let parts = try? CompactToken(bytes.span),
        scratch.fill({ payload in
          Base64Alphabet.token.decode(bytes.span.extracting(parts.payload), into: &payload)
        }), let signedAt = (try? SignedContent(scratch))?.signedAt
      else { continue }
      newest = max(newest ?? signedAt, signedAt)
    }
    return newest
  }
}
