internal import Warehouse

/// The pages of `Docs/analysts` that are generated from the schema.
enum AnalystPages {
  /// The page with every column of every table and view.
  static func dictionary(_ description: WarehouseDescription) -> String {
    var lines = [
      "# Data dictionary", "",
      "Every table and view of `warehouse.db`, and every column of them. The same texts stand in",
      "`meta_column`, in `metadata.yaml` and in `sources.yml`. Made from the schema: `make docs`.",
      "",
    ]
    for table in description.tables {
      lines += ["## \(table.name)", "", "\(table.isView ? "View. " : "")\(table.grain)", ""]
      if !table.primaryKey.isEmpty {
        lines += ["Key: \(table.primaryKey.map { "`\($0)`" }.joined(separator: ", ")).", ""]
      }
      lines += ["| column | type | unit | NULL means | what it holds |", "|---|---|---|---|---|"]
      lines += table.columns.map(row)
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ column: DescribedColumn) -> String {
    var meaning = column.meaning
    if column.words.contains(where: { $0.isEmpty || !meaning.contains($0) }) {
      let words = column.words.map { $0.isEmpty ? "`''`" : "`\($0)`" }
      meaning += " One of \(words.joined(separator: ", "))."
    }
    if let reference = column.reference {
      meaning += " Refers to `\(reference.table).\(reference.column)`."
    }
    let cells = [
      "`\(column.name)`", column.type.lowercased(), column.unit ?? "",
      column.nullMeans ?? (column.isRequired ? "never NULL" : ""), meaning,
    ]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }

  /// The page with the questions that each table and view answers, and their queries.
  static func questions(_ description: WarehouseDescription) -> String {
    var lines = [
      "# Questions and queries", "",
      "What one row of each table is, and questions it answers. Every query runs in SQLite, also",
      "while a night is being written; a test runs them all over the sample. Made from",
      "`Sources/Stores/Warehouse/Questions` and the schema: `make docs`. Columns: [dictionary.md](dictionary.md).",
      "",
    ]
    for table in description.tables {
      lines += ["## \(table.name)", "", table.grain, ""]
      for question in Question.about(table.name) {
        lines += ["**\(question.text)**", ""]
        if let reason = question.emptyBecause {
          lines += ["No row in the sample: \(reason).", ""]
        }
        lines += ["```sql", question.sql, "```", ""]
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension Question {
  /// The questions about one table or view, in the order of the page.
  static func about(_ table: String) -> [Question] { all.filter { $0.table == table } }
}
