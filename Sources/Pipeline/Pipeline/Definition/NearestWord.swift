/// Finds the known word that a misspelled word probably means.
package enum NearestWord {
  /// Returns the candidate that differs from a word in the fewest letters; `nil` if none is near.
  ///
  /// A candidate is near if at most a third of the letters differ. In a word of up to eight
  /// letters, two letters may differ, but never all. If several candidates are equally near, the
  /// first is returned. Example: `explian` → `explain`.
  package static func suggestion(for word: String, among candidates: [String]) -> String? {
    let limit = min(max(2, word.count / 3), word.count - 1)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Returns the number of changes that turn one word into the other.
  ///
  /// A change is a replaced, added or removed byte, or a swap of two adjacent bytes.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isEqual = left[row] == right[column]
        var cost = min(
          previous[column] + (isEqual ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, older[column - 1] + 1)
        }
        current.append(cost)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}
