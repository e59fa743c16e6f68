/// Numbers with their nouns, for messages.
public enum Count {
  /// A number with its noun: `1 file`, `2 files`.
  public static func text(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
