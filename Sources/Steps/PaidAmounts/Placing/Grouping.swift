internal import CivilTime
internal import Parallel

/// Items that are grouped by a number, and sorted within each group.
struct Grouping<Item: Sendable>: Sendable {
  private(set) var items: [Item] = []
  private var starts: [Int32]

  /// Groups items by a number below `count`, and sorts each group.
  ///
  /// Leaves out items without a number.
  init(
    _ unsorted: [Item], count: Int, by number: (Item) -> Int?,
    orderedBy isOrdered: (Item, Item) -> Bool
  ) {
    starts = Array(repeating: 0, count: count + 1)
    for item in unsorted {
      if let group = number(item) { starts[group + 1] += 1 }
    }
    for index in 0..<count { starts[index + 1] += starts[index] }
    guard let first = unsorted.first else { return }
    var next = starts
    items = Array(repeating: first, count: Int(starts[count]))
    for item in unsorted {
      guard let group = number(item) else { continue }
      items[Int(next[group])] = item
      next[group] += 1
    }
    for group in 0..<count {
      let range = self[group]
      let isSorted = range.dropFirst().allSatisfy { !isOrdered(items[$0], items[$0 - 1]) }
      if !isSorted { items[range].sort(by: isOrdered) }
    }
  }

  /// The range of a group's items in ``items``.
  subscript(group: Int) -> Range<Int> { Int(starts[group])..<Int(starts[group + 1]) }
}

/// A value at a point in time.
protocol Timed {
  /// The time in Unix milliseconds, UTC.
  var time: Int64 { get }
}

extension Grouping where Item: Timed {
  /// The position of the item that is nearest to a moment, in a range sorted by time.
  ///
  /// Prefers the earlier of two equally near items, and the first of several items at one moment.
  func nearest(to time: Int64, in range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    let later = items.firstPosition(in: range) { $0.time > time }
    guard let earlier = latest(before: later, in: range) else { return later }
    let isLaterNearer =
      later < range.upperBound && items[later].time - time < time - items[earlier].time
    return isLaterNearer ? later : earlier
  }

  /// The position of the latest item at or before a moment, else of the first item after the
  /// moment.
  ///
  /// `nil` if the first item is more than `grace` after the moment, or if the range is empty. The
  /// range must be sorted by time.
  func newest(at time: Int64, grace: Milliseconds, in range: Range<Int>) -> Int? {
    let later = items.firstPosition(in: range) { $0.time > time }
    if let earlier = latest(before: later, in: range) { return earlier }
    guard later < range.upperBound, items[later].time - time <= grace.rawValue else { return nil }
    return later
  }

  /// The position of the latest item before a given position; of several items at one time, the
  /// first.
  ///
  /// `nil` if the range has no item before the position.
  private func latest(before position: Int, in range: Range<Int>) -> Int? {
    guard position > range.lowerBound else { return nil }
    let moment = items[position - 1].time
    return items.firstPosition(in: range.lowerBound..<position) { $0.time >= moment }
  }
}
