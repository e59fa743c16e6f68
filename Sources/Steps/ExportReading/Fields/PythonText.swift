internal import Diagnostics

/// A dictionary as Python prints it: `{'status': 0, 'receipt': None}`.
///
/// It is not JSON, and a text with an apostrophe in it cannot be read with certainty.
enum PythonText {
  /// The number of bytes of a record that are examined.
  private static let bytesLookedAt = 4096

  /// Returns cause and remedy for a record with such a dictionary; `nil` for any other record.
  static func advice(on record: JSONCursor) -> String? {
    for offset in 0..<min(record.end, bytesLookedAt)
    where record.byte(at: offset) == Byte.openBrace
      && record.byte(at: offset + 1) == UInt8(ascii: "'")
    {
      return "it has a dictionary as Python prints it, with ' for \" and None for null: write it "
        + "with json.dumps"
    }
    return nil
  }
}
