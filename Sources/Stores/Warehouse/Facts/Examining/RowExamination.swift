internal import Diagnostics
internal import Dispatch
internal import GRDB
internal import Synchronization

/// What the rows of facts show before the other tables are written: the sums that gates check, and
/// how many rows fail each data test that reads only facts.
struct RowExamination: Sendable {
  let sums: FactSums
  let units: PriceUnitSums
  /// The numbers of failing rows, keyed by data test.
  let failingRows: [String: Int]

  init(newFiles: Set<Int64>, countsUnconverted: Bool, on db: Database) throws {
    sums = try FactSums(countsUnconverted: countsUnconverted, on: db)
    units = try PriceUnitSums(newFiles: newFiles, on: db)
    failingRows = try DataTest.failingRows(
      of: DataTest.all.filter(\.readsOnlyFacts), on: db)
  }

  /// Examines the rows on another thread while `work` runs on this one.
  static func beside(
    _ examine: @escaping @Sendable () throws(RunFailure) -> RowExamination,
    _ work: () throws -> Void
  ) throws -> RowExamination {
    let found = Mutex<Result<RowExamination, RunFailure>?>(nil)
    let group = DispatchGroup()
    DispatchQueue(label: "paidline.examine").async(group: group) {
      let result: Result<RowExamination, RunFailure>
      do throws(RunFailure) { result = .success(try examine()) } catch { result = .failure(error) }
      found.withLock { $0 = result }
    }
    do {
      try work()
    } catch {
      group.wait()
      throw error
    }
    group.wait()
    guard let result = found.withLock({ $0 }) else {
      throw RunFailure(.invariantBroken, "the rows of the facts were not examined")
    }
    return try result.get()
  }
}
