internal import PurchaseModel

/// The byte order of Apple's ids as texts, which is the order of TEXT keys: "10" before "9".
enum TextOrder {
  /// The positions of ids in the order of their texts.
  ///
  /// Numbers of one length are in that order already, and so are ids that are no numbers and stand
  /// behind them: what is left is to merge a few runs, of which there is mostly one.
  ///
  /// - Parameters:
  ///   - ids: Different ids, rising.
  ///   - symbols: The texts of those that are no numbers, sorted.
  /// - Returns: The positions.
  static func positions(of ids: [AppleNumber], in symbols: SymbolTable) -> [Int32] {
    let numberCount = ids.firstIndex { $0.symbol != nil } ?? ids.count
    let numbers = positions(ofNumbers: ids[..<numberCount])
    guard numberCount < ids.count else { return numbers }
    var merged: [Int32] = []
    merged.reserveCapacity(ids.count)
    var next = 0
    for position in numberCount..<ids.count {
      let text = ids[position].symbol.map(symbols.utf8) ?? []
      while next < numbers.count, isBefore(ids[Int(numbers[next])], text) {
        merged.append(numbers[next])
        next += 1
      }
      merged.append(Int32(position))
    }
    return merged + numbers[next...]
  }

  private static func isBefore(_ number: AppleNumber, _ text: ArraySlice<UInt8>) -> Bool {
    String(number.rawValue).utf8.lexicographicallyPrecedes(text)
  }

  /// Numbers of one length that are still to be placed.
  private struct Run {
    var places: Range<Int>
    /// What makes a number of this length one of the greatest length, by zeros at its end.
    let scale: UInt64
    /// The first number, scaled.
    var key: UInt64 = 0
  }

  private static func positions(ofNumbers ids: ArraySlice<AppleNumber>) -> [Int32] {
    var positions: [Int32] = []
    positions.reserveCapacity(ids.count)
    var runs = runs(of: ids)
    while runs.count > 1 {
      // Of two that zeros alone tell apart the shorter one comes first, whose run does too.
      var least = 0
      for run in 1..<runs.count where runs[run].key < runs[least].key { least = run }
      positions.append(Int32(runs[least].places.lowerBound))
      runs[least].places.removeFirst()
      if let next = runs[least].places.first {
        runs[least].key = ids[next].rawValue * runs[least].scale
      } else {
        runs.remove(at: least)
      }
    }
    return positions + (runs.first?.places ?? 0..<0).map(Int32.init)
  }

  /// The numbers by their lengths, the shortest first; an id has at most 18 digits.
  private static func runs(of ids: ArraySlice<AppleNumber>) -> [Run] {
    var runs: [Run] = []
    var (start, limit, scale) = (ids.startIndex, 10 as UInt64, 100_000_000_000_000_000 as UInt64)
    while start < ids.endIndex {
      var end = start
      while end < ids.endIndex, ids[end].rawValue < limit { end += 1 }
      if start < end {
        runs.append(Run(places: start..<end, scale: scale, key: ids[start].rawValue * scale))
      }
      (start, limit, scale) = (end, limit * 10, scale / 10)
    }
    return runs
  }
}
