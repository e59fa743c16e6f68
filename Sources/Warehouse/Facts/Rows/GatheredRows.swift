internal import Dispatch
internal import Parallel
internal import Purchases
internal import Synchronization

/// Some rows in the order of their positions, and where each place of the order is among them.
///
/// Every thread that asks for them before all are gathered takes some of those that are left, so
/// that none only waits.
final class GatheredRows: Sendable {
  /// The rows at places of the order.
  struct Stretch {
    fileprivate let first: Int
    fileprivate let numbers: [UInt32]
    fileprivate let pieces: [[RowsByKey.Row]]

    /// The row at a place of the order.
    subscript(place: Int) -> RowsByKey.Row {
      let number = Int(numbers[place - first])
      return pieces[number / GatheredRows.piece][number % GatheredRows.piece]
    }
  }

  /// Rows that are gathered at once; between them a limit of memory is looked at.
  private static let piece = 1 << 11

  private let first: Int
  /// The positions, rising.
  private let positions: [Int32]
  /// By place: the number of the row's position among them.
  private let numbers: [UInt32]
  private let taken = Atomic<Int>(0)
  private let pieces: Mutex<[[RowsByKey.Row]]>
  private let missing = DispatchGroup()

  /// Puts positions in order; the rows are gathered when they are asked for.
  init(_ places: Range<Int>, positions given: ArraySlice<Int32>) {
    var walk = given.enumerated().map {
      KeyedIndex(key: UInt64($0.element), index: UInt32($0.offset))
    }
    walk.sort(byKeyBits: 0..<32)
    var numbers = [UInt32](repeating: 0, count: walk.count)
    for (number, step) in walk.enumerated() { numbers[Int(step.index)] = UInt32(number) }
    first = places.lowerBound
    positions = walk.map { Int32($0.key) }
    self.numbers = numbers
    let count = (walk.count + Self.piece - 1) / Self.piece
    pieces = Mutex(Array(repeating: [], count: count))
    for _ in 0..<count { missing.enter() }
  }

  /// The rows, as soon as all are gathered; `row` gives the one at a position.
  func gathered(_ row: (Int) -> RowsByKey.Row) -> Stretch {
    while let piece = next() {
      let end = min((piece + 1) * Self.piece, positions.count)
      let rows = positions[piece * Self.piece..<end].map { row(Int($0)) }
      pieces.withLock { $0[piece] = rows }
      missing.leave()
    }
    missing.wait()
    return Stretch(first: first, numbers: numbers, pieces: pieces.withLock { $0 })
  }

  /// A piece that nobody gathers.
  private func next() -> Int? {
    let piece = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return piece * Self.piece < positions.count ? piece : nil
  }
}
