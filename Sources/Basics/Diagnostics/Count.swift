/// Numbers with their nouns, for messages.
public enum Count {
  /// A number with its noun: `1 file`, `2 files`.
  ///
  /// - Parameters:
  ///   - number: The number of things.
  ///   - noun: The singular of a noun with a plural in s.
  /// - Returns: The number, a space and the noun.
  public static func text(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
