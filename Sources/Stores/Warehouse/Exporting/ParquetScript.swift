/// The statements with which DuckDB converts exported CSV to Parquet.
///
/// Whole numbers become BIGINT, days DATE, and times TIMESTAMP in UTC. A table with the
/// column `purchased_date` is partitioned for a cluster: it gets a folder per month of purchase.
package struct ParquetScript {
  /// The exported tables, each with its number of rows.
  package let tables: [(table: ExportedTable, rows: Int)]
  /// The folder with the files `TABLE.csv`; DuckDB creates the folders `TABLE` next to them.
  package let folder: String

  package init(tables: [(table: ExportedTable, rows: Int)], folder: String) {
    self.tables = tables
    self.folder = folder
  }

  package var text: String {
    (["SET TimeZone = 'UTC'"] + tables.map { copy($0.table, rows: $0.rows) })
      .map { $0 + ";\n" }.joined()
  }

  private func copy(_ table: ExportedTable, rows: Int) -> String {
    let columns = table.columns.map { "\(literal($0.name)): '\(Self.type(of: $0))'" }
    let hasMonths = table.columns.contains { $0.name == "purchased_date" }
    let month = hasMonths ? ", strftime(purchased_date, '%Y-%m') AS purchase_month" : ""
    let place = folder + "/" + table.name
    // Without rows DuckDB would write no file, and the types of the columns would be lost.
    let target =
      hasMonths && rows > 0
      ? "\(literal(place)) (FORMAT parquet, PARTITION_BY (purchase_month))"
      : "\(literal(place + "/part-0.parquet")) (FORMAT parquet)"
    return """
      COPY (SELECT *\(month) FROM read_csv(\(literal(place + ".csv")), auto_detect = false,
        header = true, delim = ',', quote = '"', escape = '"', nullstr = '',
        allow_quoted_nulls = false, parallel = false,
        columns = {\(columns.joined(separator: ", "))}))
      TO \(target)
      """
  }

  private static func type(of column: ExportedTable.Column) -> String {
    switch (column.kind, column.moment) {
    case (.whole, _): "BIGINT"
    case (.decimal, _): "DOUBLE"
    case (.text, .day): "DATE"
    case (.text, .time): "TIMESTAMPTZ"
    case (.text, nil): "VARCHAR"
    }
  }

  private func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
