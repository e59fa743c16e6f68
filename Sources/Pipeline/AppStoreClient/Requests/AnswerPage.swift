internal import SignedTransactions

/// A page of Apple's response: up to twenty signed transactions or notifications.
struct AnswerPage: Hashable, Sendable {
  /// Apple's token for requesting the next page, in this run or in a later run; `nil` if absent.
  let next: String?
  /// Whether the next page exists already.
  let hasMore: Bool
  /// The number of transactions or notifications in the page.
  let count: Int
  /// The response as one line of JSON.
  let text: [UInt8]
  let environment: AppleEnvironment

  /// Reads a page; `nil` if the bytes are not a page.
  ///
  /// Line ends are replaced by spaces. JSON has no line ends inside strings, so no string changes.
  init?(_ bytes: [UInt8], from environment: AppleEnvironment) {
    // A history without transactions may lack the list.
    guard let fields = AnswerFields(bytes), fields.errorCode == nil,
      fields.count != nil || fields.next != nil
    else { return nil }
    guard !fields.hasMore || fields.next != nil else { return nil }
    next = fields.next
    hasMore = fields.hasMore
    count = fields.count ?? 0
    text = ExportRecord.oneLine(bytes)
    self.environment = environment
  }

  /// Returns the chains of the transactions in the page, without duplicates.
  ///
  /// A page may have several chains: Apple returns all purchases of the Apple account in the app,
  /// not only the requested chain.
  func chains() -> [String] {
    var reader = SignedRecordReader(
      verifier: SignatureVerifier(), policy: SignaturePolicy(signatures: .trust))
    var chains: [String] = []
    for finding in (try? reader.read(text.span))?.findings ?? [] {
      guard case .success(.transaction(let transaction)) = finding.content,
        !chains.contains(transaction.originalTransactionID)
      else { continue }
      chains.append(transaction.originalTransactionID)
    }
    return chains
  }
}
