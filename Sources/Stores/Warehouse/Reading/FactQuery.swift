/// Queries that an operator may run to find the rows behind a message.
public enum FactQuery {
  /// The query for the number of rows without an amount, by product and currency.
  public static let unknownAmounts =
    "SELECT product_id, currency, COUNT(1) FROM fct_revenue WHERE paid_milli IS NULL "
    + "GROUP BY 1, 2 ORDER BY 3 DESC;"

  /// The query for price reports with an impossible amount or currency; also returns file and line.
  public static let impossibleReports =
    "SELECT name, source_line, currency, price_milli FROM price_evidence "
    + "JOIN audit_file USING (source_file_id) WHERE verdict = 'impossible_amount';"

  /// The query for signed prices that did not decide the amount of their purchase.
  public static let unusedSignedPrices =
    "SELECT transaction_id, currency, signed_price_milli FROM fct_revenue "
    + "WHERE signed_price_milli IS NOT NULL AND price_rule <> 'signed_price';"

  /// The query for the unexplained differences between Apple's reports and the facts.
  public static let unexplained =
    "SELECT * FROM audit_reconciliation WHERE cause = 'unexplained';"
}
