internal import Synchronization

/// A cache of validated signers, keyed by token header.
///
/// All tokens of one signer have the same header, and Apple changes the signer every two years.
/// Validating a certificate chain costs as much as verifying twenty tokens, but is needed once per
/// header.
final class SignerCache: Sendable {
  /// The largest number of cached headers, far above the number that Apple has ever used.
  static let capacity = 32

  private struct Entry {
    let header: [UInt8]
    let signer: Result<ValidatedSigner, TokenFault>
  }

  private let roots: TrustedRoots
  /// The entries, the least recently used first; a full cache evicts the first entry.
  private let entries = Mutex<[Entry]>([])

  init(roots: TrustedRoots) {
    self.roots = roots
  }

  /// Returns the validated signer of a token header, given in base64url.
  func signer(of header: Span<UInt8>) throws(TokenFault) -> ValidatedSigner {
    if let known = entries.withLock({ Self.find(header, in: &$0) }) { return try known.get() }
    // Runs outside of the lock. Another thread may validate the same header at the same time, with
    // an equal result.
    let signer: Result<ValidatedSigner, TokenFault>
    do throws(TokenFault) {
      signer = .success(try ValidatedSigner(try TokenHeader(header), roots: roots))
    } catch {
      signer = .failure(error)
    }
    let bytes = unsafe header.withUnsafeBufferPointer { unsafe Array($0) }
    let entry = Entry(header: bytes, signer: signer)
    entries.withLock { entries in
      if entries.count == Self.capacity { entries.removeFirst() }
      entries.append(entry)
    }
    return try signer.get()
  }

  private static func find(_ header: Span<UInt8>, in entries: inout [Entry])
    -> Result<ValidatedSigner, TokenFault>?
  {
    guard
      let index = entries.lastIndex(where: { entry in
        unsafe header.withUnsafeBufferPointer { unsafe $0.elementsEqual(entry.header) }
      })
    else { return nil }
    if index + 1 < entries.count { entries.append(entries.remove(at: index)) }
    return entries.last?.signer
  }
}
