/// The name of a column without what databases and spreadsheets change in it.
public enum ColumnName {
  /// Returns the letters and digits of a name, in lower case.
  ///
  /// Example: `Store_Transaction_ID`, `storeTransactionId` → `storetransactionid`.
  public static func folded(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// The bytes of a name as text: UTF-8, else Latin-1, as Windows programs write `Währung`.
  static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
  }
}
