// Inlinable, so that each module compiles its own specialised search; one generic search for all
// modules cost a thirtieth of reconstruction's instructions.

extension Array {
  /// Binary search: the first position from which on all elements pass; the end if none passes.
  ///
  /// - Precondition: no element that passes precedes one that does not.
  @inlinable public func firstPosition(where passes: (Element) -> Bool) -> Int {
    firstPosition(in: indices, where: passes)
  }

  /// Binary search within a range of positions; the range's end if no element passes.
  @inlinable public func firstPosition(in range: Range<Int>, where passes: (Element) -> Bool) -> Int
  {
    range.firstPosition { passes(self[$0]) }
  }
}

extension Range<Int> {
  /// Binary search: the first position from which on all positions pass; the range's end if none
  /// passes.
  ///
  /// - Precondition: no position that passes precedes one that does not.
  @inlinable public func firstPosition(where passes: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = (low + high) / 2
      if passes(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
