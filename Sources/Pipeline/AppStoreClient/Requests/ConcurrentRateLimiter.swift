internal import CivilTime
internal import Pipeline
internal import Synchronization

/// Limits the rate of requests to one service, for all callers together.
///
/// Also stores the number of requests that were sent.
final class ConcurrentRateLimiter: Sendable {
  private let rateLimiter: Mutex<RateLimiter>
  private let sent = Atomic<Int>(0)

  init(perSecond: Int) {
    rateLimiter = Mutex(RateLimiter(perSecond: perSecond))
  }

  var requests: Int { sent.load(ordering: .relaxed) }

  /// Adds one sent request to ``requests``.
  func count() { sent.add(1, ordering: .relaxed) }

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
