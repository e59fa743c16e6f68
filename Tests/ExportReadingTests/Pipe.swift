internal import Glibc
internal import Synchronization

/// A number to which several threads add.
final class Counter: Sendable {
  private let sum = Mutex(0)
  func add(_ count: Int) { sum.withLock { $0 += count } }
  var value: Int { sum.withLock { $0 } }
}

/// Calls `body` with the reading end of a pipe that contains some bytes (at most 60,000) and is
/// closed at the other end.
func withPipe<Value>(_ bytes: [UInt8], _ body: (Int32) throws -> Value) throws -> Value {
  var ends: [Int32] = [0, 0]
  guard unsafe pipe(&ends) == 0, bytes.count <= 60_000 else { throw PipeFailure() }
  defer { close(ends[0]) }
  let written = unsafe write(ends[1], bytes, bytes.count)
  close(ends[1])
  guard written == bytes.count else { throw PipeFailure() }
  return try body(ends[0])
}

struct PipeFailure: Error {}
