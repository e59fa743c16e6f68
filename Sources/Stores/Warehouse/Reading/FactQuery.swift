/// Queries that an operator may run to find the rows behind a message.
public enum FactQuery {
  /// The rows without an amount, by product and currency.
  public static let unknownAmounts =
    "SELECT product_id, currency, COUNT(1) FROM fct_revenue WHERE paid_milli IS NULL "
    + "GROUP BY 1, 2 ORDER BY 3 DESC;"

  /// The unexplained differences from Apple's reports.
  public static let unexplained =
    "SELECT * FROM audit_reconciliation WHERE cause = 'unexplained';"
}
