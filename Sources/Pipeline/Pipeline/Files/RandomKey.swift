internal import Crypto

/// Makes the secret for keyed hashes of customer ids.
package enum RandomKey {
  /// Returns 32 random bytes.
  package static func bytes() -> [UInt8] {
    unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
  }
}
