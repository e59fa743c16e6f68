internal import GRDB
internal import PurchaseModel

/// A run's content as sources of rows, in SCHEMA's order of tables and in key order.
struct FactSources {
  private let content: WarehouseContent
  private let texts: SymbolTexts
  private let workers: Int
  /// The facts that the content hash covers.
  let facts: [FactSource]
  /// The indexes over them.
  let indexes: [FactSource]

  /// Prepares all rows; the encoding itself comes later.
  init(_ content: WarehouseContent, workers: Int) throws {
    self.content = content
    self.workers = workers
    texts = SymbolTexts(content.sightings.symbols)
    let customers = try CustomerKeys(content)
    let order = RevenueRows.order(of: content.purchases)
    let bridge = BridgeRows.order(content)
    let revenue = RevenueRows(content, customers: customers, order: order)
    let subscriptions = SubscriptionRows(content, customers: customers)
    facts = [
      FactSource(.table("fct_revenue"), units: order.count) {
        try revenue.encode($0, into: &$1)
      },
      BridgeRows.source(content, order: bridge),
      EntryRows.source(content, order: order),
      ConversionRows(content, customers: customers).source,
      subscriptions.states,
      subscriptions.source,
      EligibilityRows.source(content, customers: customers),
      ProductRows.source(content),
      ProductRows.prices(content),
      EvidenceRows.source(content, customers: customers),
      EvidenceRows.offers(content),
      BridgeRows.excluded(content),
    ]
    let entries = IndexRows(content, revenueOrder: order, bridgeOrder: bridge)
    indexes = [
      entries.byDate, entries.byChain, entries.bridgeByPurchase, entries.evidenceBySeries,
    ]
  }

  /// The replaced tables that the content hash leaves out.
  var rest: [FactSource] {
    [
      ProductRows.days(content), AuditRows.rejects(content.rejects),
      AuditRows.files(content.files),
    ]
  }

  /// Encodes sources into a sink, or only hashes them; the content hash is that of the facts.
  func write(
    _ sources: [FactSource], columns: [String: [String]], to sink: (any FactSink)?
  ) throws -> String {
    let hash = ContentHash()
    try EncodingLine.run(
      sources, columns: columns, texts: texts, workers: workers, hash: hash, sink: sink)
    return hash.finish()
  }
}
