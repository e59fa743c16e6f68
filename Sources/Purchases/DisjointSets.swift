/// Numbers from 0 in sets that are joined two at a time: a union-find.
public struct DisjointSets: Sendable {
  private var parents: [Int32] = []

  /// So many sets of one number each.
  public init(count: Int) {
    parents = (0..<Int32(count)).map { $0 }
  }

  /// How many numbers there are.
  public var count: Int { parents.count }

  /// Adds sets of one number each, up to a count.
  public mutating func grow(to count: Int) {
    while parents.count < count { parents.append(Int32(parents.count)) }
  }

  /// The number that stands for the set of a number: its smallest.
  public mutating func root(of number: Int32) -> Int32 {
    var root = number
    while parents[Int(root)] != root { root = parents[Int(root)] }
    var next = number
    while parents[Int(next)] != root {
      let parent = parents[Int(next)]
      parents[Int(next)] = root
      next = parent
    }
    return root
  }

  /// Makes one set of two.
  public mutating func join(_ first: Int32, _ second: Int32) {
    let (left, right) = (root(of: first), root(of: second))
    if left < right { parents[Int(right)] = left } else { parents[Int(left)] = right }
  }

  /// Joins what another one has joined; both count the same numbers.
  public mutating func join(_ other: consuming DisjointSets) {
    grow(to: other.count)
    var other = other
    for number in 0..<Int32(other.count) {
      let root = other.root(of: number)
      if root != number { join(number, root) }
    }
  }
}
