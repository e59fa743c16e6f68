internal import Glibc

/// The time that a piece of work took, in microseconds.
struct UsedTime {
  /// Time on the clock.
  var wall: Int64 = 0
  /// User time of all threads of the process.
  var user: Int64 = 0

  /// Adds what the work takes.
  mutating func add<Result>(_ work: () throws -> Result) rethrows -> Result {
    let start = Self.now
    defer {
      let end = Self.now
      wall += end.wall - start.wall
      user += end.user - start.user
    }
    return try work()
  }

  private static var now: UsedTime {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &clock)
    var usage = rusage()
    unsafe getrusage(0, &usage)  // RUSAGE_SELF, whose type in Swift is not the parameter's.
    return UsedTime(
      wall: Int64(clock.tv_sec) * 1_000_000 + Int64(clock.tv_nsec) / 1000,
      user: Int64(usage.ru_utime.tv_sec) * 1_000_000 + Int64(usage.ru_utime.tv_usec))
  }
}
