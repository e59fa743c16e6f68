internal import PurchaseModel
internal import Synchronization

/// The work items for reading state.db: ranges of chain keys, then ranges of evidence ids.
final class PartitionPlan: Sendable {
  private let all: [WorkItem]
  private let next = Atomic<Int>(0)

  /// Creates a plan that reads all chains and price reports, in key ranges of equal width.
  init(files: LoadedFiles, rowsPerPartition: Int) {
    let count = min(1 << 16, max(1, files.rowCount / max(1, rowsPerPartition)))
    let reports = min(32, count)
    all =
      (0..<count).map { .chains(number: $0, [Self.range($0, of: count)]) }
      + (0..<reports).map { .reports(number: $0, [Self.range($0, of: reports)]) }
  }

  /// Creates a plan that reads only the selected chains and reports.
  init(_ selection: StateSelection) {
    let reports = Self.chunks(selection.reports, of: 1024)
    all =
      selection.chains.enumerated().map { .chains(number: $0.offset, Self.single($0.element)) }
      + reports.enumerated().map { .reports(number: $0.offset, $0.element) }
  }

  enum WorkItem {
    case chains(number: Int, [ClosedRange<Int64>])
    case reports(number: Int, [ClosedRange<Int64>])
  }

  var itemCount: Int { all.count }

  /// Returns the next item, which no other thread receives; `nil` after the last item.
  func nextItem() -> WorkItem? {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < all.count ? all[number] : nil
  }

  private static func chunks(_ keys: [Int64], of size: Int) -> [[ClosedRange<Int64>]] {
    keys.chunks(of: size).map { $0.map { $0...$0 } }
  }

  private static func single(_ keys: [ChainKey]) -> [ClosedRange<Int64>] {
    keys.sorted().map { $0.rawValue...$0.rawValue }
  }

  /// One of `count` equal ranges of keys, by its number from 0.
  ///
  /// Keys are evenly distributed numbers of 63 bits. The first range also includes negative keys.
  private static func range(_ number: Int, of count: Int) -> ClosedRange<Int64> {
    let width = Int64.max / Int64(count)
    let first = number == 0 ? Int64.min : Int64(number) * width
    return first...(number == count - 1 ? Int64.max : Int64(number + 1) * width - 1)
  }
}

extension Array {
  /// Splits the array into arrays of at most `size` elements.
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
