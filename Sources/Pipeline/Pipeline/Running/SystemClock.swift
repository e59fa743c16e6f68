package import CivilTime
internal import Glibc

/// The only reader of the clock.
///
/// Nothing that becomes a fact comes from here.
package enum SystemClock {
  /// The wall clock's moment, for the run ledger and log lines.
  package static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Milliseconds of a clock that only goes forward, for durations.
  package static var steadyMilliseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Sleeps for a number of milliseconds, or less when a signal arrives.
  package static func sleep(milliseconds: Int64) {
    var time = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    unsafe nanosleep(&time, nil)
  }
}
