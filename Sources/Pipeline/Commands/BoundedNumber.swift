internal import ArgumentParser

/// Whole numbers as arguments, within bounds.
///
/// Example: `--wait 2d` is reported as "The value '2d' is invalid for '--wait <seconds>': expected
/// a number of seconds from 0 to 86400, such as --wait 600".
struct BoundedNumber: Sendable {
  /// The numbers that are accepted.
  let range: ClosedRange<Int>
  /// The thing that is counted, in the plural.
  let noun: String
  /// The option with a number as a user would write it.
  let example: String

  /// Reads an argument.
  ///
  /// - Throws: `ValidationError` for a text that is no whole number of the range.
  func read(_ text: String) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError(
        "expected \(noun) from \(range.lowerBound) to \(range.upperBound), such as \(example)")
    }
    return number
  }
}
