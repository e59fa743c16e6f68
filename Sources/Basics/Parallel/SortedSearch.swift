// Inlinable, so that each module compiles its own specialised search. One generic search for all
// modules cost a thirtieth of reconstruction's instructions.

extension Array {
  /// Binary search: returns the first position from which on all elements pass; the end if none
  /// passes.
  ///
  /// - Precondition: All elements that pass come after all elements that do not.
  @inlinable public func firstPosition(where passes: (Element) -> Bool) -> Int {
    firstPosition(in: indices, where: passes)
  }

  /// Binary search in a range of positions; returns the range's end if no element passes.
  @inlinable public func firstPosition(in range: Range<Int>, where passes: (Element) -> Bool) -> Int
  {
    range.firstPosition { passes(self[$0]) }
  }
}

extension Range<Int> {
  /// Binary search: returns the first position from which on all positions pass; the range's end if
  /// none passes.
  ///
  /// - Precondition: All positions that pass come after all positions that do not.
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
