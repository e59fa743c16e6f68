/// Numbers from 0 in sets that are joined two at a time: a union-find.
struct DisjointSets {
  private var parents: [Int32] = []

  /// So many sets of one number each.
  init(count: Int) {
    parents = (0..<Int32(count)).map { $0 }
  }

  /// The number that stands for the set of a number: its smallest.
  mutating func root(of number: Int32) -> Int32 {
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
  mutating func join(_ first: Int32, _ second: Int32) {
    let (left, right) = (root(of: first), root(of: second))
    if left < right { parents[Int(right)] = left } else { parents[Int(left)] = right }
  }
}
