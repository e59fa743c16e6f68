/// Formats a part of a whole as a percentage.
package enum Share {
  /// Returns a percentage with one decimal, rounded down, so that 100 % means all.
  ///
  /// Example: 2 of 3 → `66.6 %`.
  package static func percent(_ part: Int64, _ whole: Int64) -> String {
    let perThousand = part * 1000 / max(1, whole)
    return "\(perThousand / 10).\(perThousand % 10) %"
  }
}
