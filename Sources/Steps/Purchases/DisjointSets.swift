/// Numbers from 0 in sets that are joined two at a time: a union-find.
public struct DisjointSets: Sendable {
  private var parents: [Int32] = []

  /// A number of sets of one element each.
  public init(count: Int) {
    parents = (0..<Int32(count)).map { $0 }
  }

  /// The number of elements.
  public var count: Int { parents.count }

  /// Adds sets of one number each, up to a count.
  public mutating func grow(to count: Int) {
    while parents.count < count { parents.append(Int32(parents.count)) }
  }

  /// The representative of a number's set: its smallest number.
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

  /// Takes over the joins of another value; both have the same elements.
  public mutating func join(_ other: consuming DisjointSets) {
    grow(to: other.count)
    var other = other
    for number in 0..<Int32(other.count) {
      let root = other.root(of: number)
      if root != number { join(number, root) }
    }
  }
}
