package import CivilTime
internal import Glibc

/// Reads the clock; no other code reads it.
///
/// No fact depends on the time that it returns.
package enum SystemClock {
  /// The current time, for the run ledger and log lines.
  package static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The milliseconds of a monotonic clock, for durations.
  package static var steadyMilliseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Sleeps for a number of milliseconds; returns earlier if a signal arrives.
  package static func sleep(milliseconds: Int64) {
    var time = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    unsafe nanosleep(&time, nil)
  }
}
