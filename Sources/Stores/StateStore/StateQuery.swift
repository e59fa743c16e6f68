public import PurchaseModel

/// Queries that an operator may run on state.db to find the rows behind a message.
public enum StateQuery {
  /// The query for the unusable records of held files.
  public static let heldRejects =
    "SELECT name, line, reason_code, detail FROM reject JOIN input_file USING (file_id) "
    + "WHERE status = 'held';"

  /// The query for the number of records of one kind of file on each of the newest export days.
  ///
  /// The newest day is first; `days` is the number of days.
  public static func records(of kind: InputFile.Kind, days: Int64) -> String {
    "SELECT export_date, SUM(records) FROM input_file WHERE kind = '\(kind.rawValue)' "
      + "AND status IN ('used', 'held') GROUP BY 1 ORDER BY 1 DESC LIMIT \(days);"
  }
}
