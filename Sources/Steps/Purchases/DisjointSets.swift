public import PurchaseModel

/// Sets of chains that can be merged: union-find.
public struct DisjointSets: Sendable {
  private var parents: [ChainPosition] = []

  /// Creates sets with one chain each.
  public init(count: Int) {
    parents = (0..<count).map(ChainPosition.init)
  }

  /// The number of chains.
  public var count: Int { parents.count }

  /// The first chain of a chain's set, which represents the set.
  public mutating func root(of chain: ChainPosition) -> ChainPosition {
    var root = chain
    while parents[root.index] != root { root = parents[root.index] }
    var next = chain
    while parents[next.index] != root {
      let parent = parents[next.index]
      parents[next.index] = root
      next = parent
    }
    return root
  }

  /// Merges the sets of two chains.
  public mutating func join(_ first: ChainPosition, _ second: ChainPosition) {
    let (left, right) = (root(of: first), root(of: second))
    if left < right { parents[right.index] = left } else { parents[left.index] = right }
  }
}
