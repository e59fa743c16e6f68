internal import Diagnostics
internal import PurchaseModel

/// Advice on an input file without a usable record, whose entry in the pipeline may be wrong.
enum MisplacedInput {
  /// The greatest number of files for which a message suggests the right input.
  ///
  /// The number is small, because recognition is slow: each file is read whole once, and its
  /// beginning is read many times.
  static let shown = 3

  /// Returns advice on a file's entry; `nil` if the content is unknown or the entry is right.
  ///
  /// Example: price reports in a file under `inputs.receipts` → "It seems to hold price reports:
  /// list it under inputs.prices." The advice does not name keys, because a key may be a
  /// customer's id.
  static func advice(on path: String, listedAs kind: InputFile.Kind) -> String? {
    guard path != "-", let found = try? RecognizedInput.of(path), let actual = found.kind else {
      return nil
    }
    let input = "inputs.\(actual.rawValue)"
    let content = "It seems to hold \(found.words.prefix { $0 != "," })"
    if found.settings.contains("keys:") {
      return "\(content): its entry under \(input) needs keys; `paidline init new --from "
        + "\(OneLine.text(path))` prints them, and for receipts also writes a pipeline into the "
        + "folder new."
    }
    if !found.settings.isEmpty {
      return "\(content): list it under \(input) with \(found.settings)."
    }
    return actual == kind ? nil : "\(content): list it under \(input)."
  }
}
