internal import GRDB
internal import PurchaseModel

/// How many rows each table of facts got, and what they hash to.
struct WrittenFacts {
  /// Rows by table.
  var rows: [String: Int] = [:]
  /// The content hash.
  var contentSHA256 = ""
  /// Rows of `fct_revenue` that were not there before.
  var added = 0
  /// Rows of `fct_revenue` that say something else than before.
  var changed = 0
  /// Rows of `fct_revenue` that are gone.
  var removed = 0
}

/// Writes a run's content to empty tables, in SCHEMA's order of tables and in key order.
struct FactWriter {
  private let content: WarehouseContent
  private let customers: CustomerKeys
  private let db: Database?

  /// Prepares to write; without a database, only the content hash is computed.
  init(_ content: WarehouseContent, on db: Database?) throws {
    self.content = content
    self.db = db
    customers = try CustomerKeys(content.sightings, key: content.customerKey)
  }

  /// Writes the facts that the content hash covers.
  func writeFacts(earlier: (revenue: EarlierRows, conversions: EarlierRows)) throws -> WrittenFacts
  {
    var facts = WrittenFacts()
    var (revenue, conversions) = earlier
    let hash = ContentHash()
    func fill(_ name: String, _ write: (FactTable) throws -> Void) throws {
      let table = try FactTable(name, symbols: content.sightings.symbols, hash: hash, on: db)
      try write(table)
      facts.rows[name] = table.rows
    }
    let order = RevenueRows.order(of: content.purchases)
    let subscriptions = SubscriptionRows(content, customers: customers)
    try fill("fct_revenue") { table in
      try RevenueRows(content, customers: customers)
        .write(to: table, order: order, earlier: &revenue)
    }
    try fill("bridge_transaction_id") { try BridgeRows.write(content, to: $0) }
    try fill("fct_revenue_entry") { try EntryRows.write(content, order: order, to: $0) }
    try fill("fct_conversion") { table in
      try ConversionRows(content, customers: customers).write(to: table, earlier: &conversions)
    }
    try fill("fct_renewal_state") { try subscriptions.writeStates(to: $0) }
    try fill("dim_subscription") { try subscriptions.write(to: $0) }
    try fill("dim_offer_eligibility") { table in
      try EligibilityRows.write(content, customers: customers, to: table)
    }
    try fill("dim_product") { try ProductRows.write(content, to: $0) }
    try fill("dim_product_price") { try ProductRows.writePrices(content, to: $0) }
    try fill("price_evidence") { table in
      try EvidenceRows.write(content, customers: customers, to: table)
    }
    try fill("price_evidence_offer") { try EvidenceRows.writeOffers(content, to: $0) }
    try fill("excluded_purchase") { try BridgeRows.writeExcluded(content, to: $0) }
    facts.contentSHA256 = hash.finish()
    facts.added = revenue.added
    facts.changed = revenue.changed
    facts.removed = revenue.removed
    return facts
  }

  /// Writes the replaced tables that the content hash leaves out.
  func writeRest(to facts: inout WrittenFacts) throws {
    var rows = facts.rows
    func fill(_ name: String, _ write: (FactTable) throws -> Void) throws {
      let table = try FactTable(name, symbols: content.sightings.symbols, hash: nil, on: db)
      try write(table)
      rows[name] = table.rows
    }
    try fill("dim_date") { try ProductRows.writeDays(content, to: $0) }
    try fill("rejected_record") { try AuditRows.write(content.rejects, to: $0) }
    try fill("audit_file") { try AuditRows.write(content.files, to: $0) }
    facts.rows = rows
    if let db { try WarehouseSchema.writeMeta(rules: content.rules, on: db) }
  }
}
