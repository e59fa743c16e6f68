/// Formats a part of a whole as a percentage.
package enum Share {
  /// Returns a percentage with one decimal, rounded down, so that 100 % means all.
  ///
  /// Example: 2 of 3 → `66.6 %`.
  package static func percent(_ part: some BinaryInteger, _ whole: some BinaryInteger) -> String {
    let perThousand = Int64(part) * 1000 / max(1, Int64(whole))
    return "\(perThousand / 10).\(perThousand % 10) %"
  }
}
