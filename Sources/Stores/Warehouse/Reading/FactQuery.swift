/// Statements that an operator may run on the warehouse to see the rows behind a message.
public enum FactQuery {
  /// The rows without an amount, by product and currency.
  public static let unknownAmounts =
    "SELECT product_id, currency, COUNT(1) FROM fct_revenue WHERE paid_milli IS NULL "
    + "GROUP BY 1, 2 ORDER BY 3 DESC;"

  /// The differences from Apple's reports that nothing explains.
  public static let unexplained =
    "SELECT * FROM audit_reconciliation WHERE cause = 'unexplained';"
}
