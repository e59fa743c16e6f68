internal import Glibc

/// The time of some work, in microseconds.
struct UsedTime {
  /// The elapsed time in microseconds.
  var wall: Int64 = 0
  /// The user time of all threads of the process, in microseconds.
  var user: Int64 = 0

  /// Runs some work, and adds the time that it needs.
  mutating func add<Result>(_ work: () throws -> Result) rethrows -> Result {
    let (start, userBefore) = (ContinuousClock.now, Self.userTime)
    defer {
      wall += Int64(start.duration(to: .now) / .microseconds(1))
      user += Self.userTime - userBefore
    }
    return try work()
  }

  private static var userTime: Int64 {
    var usage = rusage()
    unsafe getrusage(0, &usage)  // RUSAGE_SELF, whose type in Swift is not the parameter's.
    return Int64(usage.ru_utime.tv_sec) * 1_000_000 + Int64(usage.ru_utime.tv_usec)
  }
}
