internal import CivilTime

/// Spreads requests evenly over time.
///
/// Example: with 10 requests per second, there are at least 100 milliseconds between two requests.
struct RateLimiter: Hashable, Sendable {
  private let perSecond: Int64
  /// The time of the next allowed request in microseconds, on the caller's clock.
  private var nextFree: Int64 = .min

  /// Allows a number of requests per second, from 1 to 1,000,000.
  init(perSecond: Int) {
    precondition((1...1_000_000).contains(perSecond), "at least one request per second")
    self.perSecond = Int64(perSecond)
  }

  /// Reserves the next allowed time.
  mutating func reserve(now: Milliseconds) -> Milliseconds {
    let now = now.rawValue * 1000
    let slot = max(now, nextFree)
    nextFree = slot + 1_000_000 / perSecond
    return Milliseconds((slot - now + 999) / 1000)
  }

  /// Delays all requests that are reserved from now on, because a service required a pause.
  mutating func hold(for length: Milliseconds, now: Milliseconds) {
    nextFree = max(nextFree, (now.rawValue + length.rawValue) * 1000)
  }
}
