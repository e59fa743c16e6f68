// Inlinable, so that every module gets a search for its own elements: a general one for all of them
// took a thirtieth of reconstruction's instructions.

extension Array {
  /// The first position whose element, and so every later one's, passes; the count if there is
  /// none.
  ///
  /// - Precondition: no element that passes precedes one that does not.
  @inlinable public func firstPosition(where passes: (Element) -> Bool) -> Int {
    firstPosition(in: indices, where: passes)
  }

  /// The same within a range of positions; its end where no element passes.
  @inlinable public func firstPosition(in range: Range<Int>, where passes: (Element) -> Bool) -> Int
  {
    range.firstPosition { passes(self[$0]) }
  }
}

extension Range<Int> {
  /// The first position that, as every later one, passes; the range's end if there is none.
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
