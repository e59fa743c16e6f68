internal import Dispatch
internal import Synchronization

/// Runs numbered tasks on several threads, and returns the results in the order of the numbers.
///
/// Each free thread starts the next task. The results do not depend on the number of threads, if no
/// task depends on another.
///
/// - Parameters:
///   - count: The number of tasks.
///   - workers: The largest number of threads; with 1, the caller's thread does all the work.
///   - task: Runs the task with a number from 0 to `count` - 1.
/// - Returns: The results, one per task.
/// - Throws: The error of the failed task with the smallest number.
public func inParallel<Result: Sendable, Failure: Error>(
  _ count: Int, workers: Int, _ task: @Sendable (Int) throws(Failure) -> Result
) throws(Failure) -> [Result] {
  var results: [Result] = []
  results.reserveCapacity(count)
  guard workers > 1, count > 1 else {
    for number in 0..<count { results.append(try task(number)) }
    return results
  }
  let next = Atomic<Int>(0)
  let done = Mutex<[(number: Int, result: Swift.Result<Result, Failure>)]>([])
  DispatchQueue.concurrentPerform(iterations: min(workers, count)) { _ in
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      let result: Swift.Result<Result, Failure>
      do throws(Failure) { result = .success(try task(number)) } catch { result = .failure(error) }
      done.withLock { $0.append((number, result)) }
    }
  }
  for item in done.withLock({ $0 }).sorted(by: { $0.number < $1.number }) {
    results.append(try item.result.get())
  }
  return results
}

/// Concatenates arrays; several threads copy them.
public func joined<Element: Sendable>(_ parts: [ArraySlice<Element>], workers: Int) -> [Element] {
  let total = parts.reduce(0) { $0 + $1.count }
  guard workers > 1, total > leastCopiedInParallel else {
    var all: [Element] = []
    all.reserveCapacity(total)
    for part in parts { all += part }
    return all
  }
  var starts: [Int] = []
  starts.reserveCapacity(parts.count)
  var start = 0
  for part in parts {
    starts.append(start)
    start += part.count
  }
  let places = starts
  let chunks = min(parts.count, workers * 4)
  return unsafe [Element](unsafeUninitializedCapacity: total) { buffer, count in
    let place = unsafe Place(start: buffer.baseAddress)
    _ = inParallel(chunks, workers: workers) { chunk in
      for part in parts.count * chunk / chunks..<parts.count * (chunk + 1) / chunks {
        place.fill(from: places[part], with: parts[part])
      }
    }
    count = total
  }
}

/// The number of elements below which a second thread costs more than it saves.
private let leastCopiedInParallel = 4096

/// Memory that several threads fill, each thread at different positions.
@safe
private struct Place<Element: Sendable>: @unchecked Sendable {
  private let start: UnsafeMutablePointer<Element>?

  init(start: UnsafeMutablePointer<Element>?) {
    unsafe self.start = start
  }

  func fill(from offset: Int, with part: ArraySlice<Element>) {
    unsafe part.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress, let start = unsafe start else { return }
      unsafe (start + offset).initialize(from: first, count: source.count)
    }
  }
}
