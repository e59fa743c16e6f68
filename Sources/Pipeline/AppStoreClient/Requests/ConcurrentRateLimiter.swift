internal import CivilTime
internal import Pipeline
internal import Synchronization

/// Limits the rate of requests to one service, for all callers together.
final class ConcurrentRateLimiter: Sendable {
  private let rateLimiter: Mutex<RateLimiter>

  init(perSecond: Int) {
    rateLimiter = Mutex(RateLimiter(perSecond: perSecond))
  }

  /// Waits until the next request is allowed.
  func wait() async {
    await Self.sleep(rateLimiter.withLock { $0.reserve(now: Self.now) })
  }

  /// Blocks all requests for a length of time, beginning now.
  func hold(for length: Milliseconds) {
    rateLimiter.withLock { $0.hold(for: length, now: Self.now) }
  }

  /// Waits; returns early if the task is cancelled.
  @Sendable static func sleep(_ length: Milliseconds) async {
    guard length.rawValue > 0 else { return }
    try? await Task.sleep(for: .milliseconds(length.rawValue))
  }

  private static var now: Milliseconds { Milliseconds(SystemClock.steadyMilliseconds) }
}
