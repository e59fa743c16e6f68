/// The name of a column without what databases and spreadsheets change in it.
public enum ColumnName {
  /// Returns the letters and digits of a name, in lower case.
  ///
  /// Example: `Store_Transaction_ID`, `storeTransactionId` → `storetransactionid`.
  public static func folded(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
