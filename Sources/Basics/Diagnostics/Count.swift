/// Numbers of things in messages.
public enum Count {
  /// A number with its noun: `1 file`, `2 files`.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - noun: The word for one of them, whose plural ends in s.
  /// - Returns: Both, with a blank between them.
  public static func text(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
