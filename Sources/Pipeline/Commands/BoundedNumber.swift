internal import ArgumentParser

/// A whole number within bounds, as an argument.
///
/// Example: for `--wait 2d` the error is "The value '2d' is invalid for '--wait <seconds>':
/// expected a number of seconds from 0 to 86400, such as --wait 600".
struct BoundedNumber: Sendable {
  let range: ClosedRange<Int>
  /// The expected number in words, such as `a number of seconds`.
  let noun: String
  /// The option with an accepted number, such as `--wait 600`.
  let example: String

  /// Converts the text of an argument to a number.
  func read(_ text: String) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError(
        "expected \(noun) from \(range.lowerBound) to \(range.upperBound), such as \(example)")
    }
    return number
  }
}
