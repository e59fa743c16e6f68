internal import Dispatch
internal import Synchronization

/// Runs numbered tasks on several threads, and returns the results in the order of the numbers.
///
/// Each free thread starts the next task. If the tasks are independent, the results do not depend
/// on the number of threads.
///
/// - Parameters:
///   - workers: The largest number of threads; with 1, the caller's thread does all the work.
///   - task: Runs the task with a number from 0 to `count` - 1.
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
