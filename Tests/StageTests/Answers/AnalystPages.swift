internal import Warehouse

/// The pages of `Docs/analysts` that are generated from the schema.
enum AnalystPages {
  /// The page with every column of every table and view.
  static func dictionary(_ description: WarehouseDescription) -> String {
    var lines = [
      "# Data dictionary", "",
      "Every table and view of `warehouse.db`, and every column of them. The same texts stand in",
      "`meta_column`, in `metadata.yaml` and in `sources.yml`. Made from the schema: `make docs`.",
      "", "Words that people look for, and the column that has them:", "",
      "| word | column |", "|---|---|",
    ]
    lines += index.map { "| \($0.words) | `\($0.table).\($0.column)`\($0.note) |" } + [""]
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

  /// The words that people guess, and the columns that they mean.
  static let index: [(words: String, table: String, column: String, note: String)] = [
    ("amount, price, revenue, gross, sales", "fct_revenue", "paid_milli", ", in thousandths"),
    ("amount in dollars or euros", "fct_revenue", "paid_reporting_micros", ", in millionths"),
    ("list price", "fct_revenue", "list_price_milli", ""),
    ("net, proceeds, payout", "fct_revenue", "proceeds_milli", ""),
    ("fee, commission", "fct_revenue", "commission_bp", ""),
    ("tax, VAT", "fct_revenue", "tax_bp", ""),
    ("refund, chargeback, cancellation_date", "fct_revenue", "reversal_kind", ""),
    ("country, region, territory", "fct_revenue", "storefront", ""),
    ("user, user_id, customer_id, app_user_id", "fct_revenue", "customer_key", ", a keyed hash"),
    ("sku, product, plan", "fct_revenue", "product_id", ""),
    ("app, app_id", "fct_revenue", "bundle_id", ""),
    ("subscription_id, original_id", "fct_revenue", "original_transaction_id", ""),
    ("date, created_at, purchase_date", "fct_revenue", "purchased_at", ""),
    ("end, expiry, expires_date", "fct_revenue", "expires_at", ""),
    ("trial, intro, renewal, type", "fct_revenue", "period_kind", ""),
    ("confidence, source, reason", "fct_revenue", "price_status", " and `price_rule`"),
    ("status, is_active, active, state", "dim_subscription", "status", ""),
    ("will_renew, cancelled, unsubscribed_at", "dim_subscription", "auto_renew_status", ""),
    ("first purchase, cohort", "dim_customer", "first_purchased_at", ""),
    ("converted, conversion", "fct_conversion", "status", ""),
    ("event, renewal, churn", "subscription_event", "event", ""),
    ("coverage, unknown amounts", "price_coverage_daily", "coverage_bp", ""),
    ("last run, as of", "audit_run", "as_of", ""),
  ]

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
