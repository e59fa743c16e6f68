/// Items put together by a small number, each group in an order of its own.
struct Grouping<Item: Sendable>: Sendable {
  private(set) var items: [Item] = []
  private var starts: [Int32]

  /// Groups items by a number below `count`; equal elements of a group must not exist.
  init(
    _ unsorted: [Item], count: Int, by number: (Item) -> Int32,
    orderedBy isOrdered: (Item, Item) -> Bool
  ) {
    starts = Array(repeating: 0, count: count + 1)
    for item in unsorted { starts[Int(number(item)) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    guard let first = unsorted.first else { return }
    var next = starts
    items = Array(repeating: first, count: unsorted.count)
    for item in unsorted {
      let group = Int(number(item))
      items[Int(next[group])] = item
      next[group] += 1
    }
    for group in 0..<count {
      let range = self[group]
      let isSorted = range.dropFirst().allSatisfy { !isOrdered(items[$0], items[$0 - 1]) }
      if !isSorted { items[range].sort(by: isOrdered) }
    }
  }

  /// Where a group stands in ``items``.
  subscript(group: Int) -> Range<Int> { Int(starts[group])..<Int(starts[group + 1]) }
}
