internal import CivilTime

/// The number of attempts for one receipt or page in a run, and the waits between the attempts.
struct RetryPlan: Hashable, Sendable {
  /// The largest number of attempts, including the first; at least 1.
  var attempts: Int
  /// The wait after the first failed attempt, before jitter is subtracted.
  var firstWait: Milliseconds
  /// The upper limit of a wait, even if Apple requires a longer wait.
  var longestWait: Milliseconds

  init(
    attempts: Int, firstWait: Milliseconds, longestWait: Milliseconds = .seconds(60)
  ) {
    precondition(attempts >= 1, "at least one attempt per receipt")
    self.attempts = attempts
    self.firstWait = firstWait
    self.longestWait = longestWait
  }

  /// Returns the wait after a failed attempt, which doubles from attempt to attempt.
  ///
  /// Jitter subtracts up to half of the wait. So receipts that failed together are not retried
  /// together. The jitter depends only on `key` and `attempt`.
  ///
  /// - Parameters:
  ///   - attempt: The number of the failed attempt, from 1.
  ///   - key: The seed of the jitter, such as the key of a receipt's record.
  ///   - after: The seconds of Apple's `Retry-After`; `nil` if there is none.
  func wait(afterAttempt attempt: Int, key: [UInt8], after: Int64? = nil) -> Milliseconds {
    let doublings = min(max(attempt, 1) - 1, 20)
    let longest = longestWait.rawValue
    let full = min(longest, firstWait.rawValue << Int64(doublings))
    let wait = full - Int64(Self.jitter(key: key, attempt: attempt)) * (full / 2) / 1024
    let wanted = min(max(0, after ?? 0), longest / 1000) * 1000
    return Milliseconds(max(wait, wanted))
  }

  /// A number from 0 to 1023 that depends only on the key and the attempt (FNV-1a, mixed).
  private static func jitter(key: [UInt8], attempt: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key + [UInt8(truncatingIfNeeded: attempt)] {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    return (hash ^ hash >> 27) >> 54
  }
}
