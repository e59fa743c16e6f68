internal import Diagnostics
internal import ExportReading

/// Reads the records of an export of signed transactions, one after another.
///
/// A record is a response of one of Apple's services, or the part of a response that an app's
/// server stores; ``FoundTokens`` lists the forms. Each thread needs its own reader, but readers
/// may use one verifier.
///
/// Example: the record `{"customer_id":"c-000123","signedTransactionInfo":"eyJ…"}` → one finding, a
/// verified transaction, with the customer `c-000123` as its context.
public struct SignedRecordReader {
  private let verifier: SignatureVerifier
  private let policy: SignaturePolicy
  private var scratch = PaddedText()

  /// Creates a reader, which only one thread may use.
  ///
  /// - Parameters:
  ///   - verifier: Verifies signatures; unused if the policy trusts the files.
  public init(verifier: SignatureVerifier, policy: SignaturePolicy = SignaturePolicy()) {
    self.verifier = verifier
    self.policy = policy
  }

  /// Reads one record and all its tokens.
  public mutating func read(_ record: Span<UInt8>) throws(RecordFault) -> SignedRecord {
    try read(try FoundTokens(record))
  }

  /// Reads all tokens in the values of a record, which were found by paths.
  mutating func read(_ values: SignedValues) throws(RecordFault) -> SignedRecord {
    try read(try FoundTokens(values))
  }

  private mutating func read(_ found: FoundTokens) throws(RecordFault) -> SignedRecord {
    guard !found.tokens.isEmpty || found.hasEmptyList else {
      throw Self.nothingFound
    }
    var result = SignedRecord()
    result.context = found.context
    for token in found.tokens { read(token, into: &result.findings) }
    guard !result.findings.isEmpty || found.hasEmptyList else { throw Self.nothingFound }
    return result
  }

  private static let nothingFound = RecordFault(
    reason: .wrongType, detail: "the record has no signed transaction, renewal or notification")

  /// Reads a token and, if the token is a notification, the tokens inside the notification.
  ///
  /// The tokens of a notification are read even if the notification itself is faulty or not
  /// accepted.
  private mutating func read(_ token: FoundToken, into findings: inout [SignedFinding]) {
    let opened: Result<SignedContent, TokenFault>
    do throws(TokenFault) {
      opened = .success(try open(token))
    } catch {
      // A decoded payload of zeros stands for a missing payload.
      if case .decoded(let bytes) = token.text, SignedContent.isZero(PaddedText(bytes.span)) {
        return
      }
      opened = .failure(error)
    }
    findings.append(
      SignedFinding(
        place: token.place, proofLevel: proofLevel(of: token.text),
        content: opened.flatMap(accepted)))
    let tokens: [FoundToken]
    switch opened {
    case .success(.notification(let notification)):
      tokens = notification.tokens.map { inner in
        var inner = inner
        inner.place.notificationType = notification.type
        inner.environment = notification.environment
        return inner
      }
    case .success: return
    case .failure: tokens = Self.tokens(within: token)
    }
    for inner in tokens { read(inner, into: &findings) }
  }

  /// Reads the payload of a token, without checking whether the policy accepts the content.
  private mutating func open(_ token: FoundToken) throws(TokenFault) -> SignedContent {
    let content: SignedContent
    switch token.text {
    case .token(let bytes):
      content = try verifier.open(
        bytes.span, isVerified: policy.signatures == .verify, scratch: &scratch)
    case .decoded(let bytes): content = try SignedContent(PaddedText(bytes.span))
    }
    return content.within(token.environment)
  }

  /// Returns the content if the policy accepts it, else the reason why it is refused.
  private func accepted(_ content: SignedContent) -> Result<SignedContent, TokenFault> {
    do throws(TokenFault) {
      try policy.check(content)
      return .success(content)
    } catch {
      return .failure(error)
    }
  }

  /// Finds the intact tokens inside an unusable token.
  ///
  /// Example: the tokens of a notification with a damaged signature.
  private static func tokens(within token: FoundToken) -> [FoundToken] {
    guard case .token(let bytes) = token.text, let parts = try? CompactToken(bytes.span) else {
      return []
    }
    var payload: [UInt8] = []
    guard Base64Alphabet.token.decode(bytes.span.extracting(parts.payload), into: &payload),
      let found = try? FoundTokens(payload.span)
    else { return [] }
    return found.tokens.compactMap { inner in
      guard case .token = inner.text else { return nil }
      var inner = inner
      inner.environment = inner.environment ?? token.environment
      return inner
    }
  }

  private func proofLevel(of text: FoundToken.Text) -> SignedFinding.ProofLevel {
    switch (text, policy.signatures) {
    case (.decoded, _): .unsigned
    case (.token, .verify): .verified
    case (.token, .trust): .trusted
    }
  }
}
