public import PurchaseModel

/// Queries that an operator may run on state.db to find the rows behind a message.
public enum StateQuery {
  /// The query for the unusable records of held files.
  public static let heldRejects =
    "SELECT name, line, reason_code, detail FROM reject JOIN input_file USING (file_id) "
    + "WHERE status = 'held';"

  /// The query for the number of records per export day, for one kind of file, newest days first.
  public static func records(of kind: InputFile.Kind, days: Int64) -> String {
    "SELECT export_date, SUM(records) FROM input_file WHERE kind = '\(kind.rawValue)' "
      + "AND status IN ('used', 'held') GROUP BY 1 ORDER BY 1 DESC LIMIT \(days);"
  }
}
