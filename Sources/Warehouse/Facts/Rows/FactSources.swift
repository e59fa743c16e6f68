internal import GRDB
internal import PurchaseModel
internal import Purchases

/// A run's content as sources of rows, in SCHEMA's order of tables and in key order.
struct FactSources {
  private let content: WarehouseContent
  private let texts: SymbolTexts
  private let workers: Int
  /// The facts that the content digest covers.
  let facts: [FactSource]
  /// The indexes over them.
  let indexes: [FactSource]

  /// Prepares all rows, on all threads; the encoding itself comes later.
  ///
  /// - Parameters:
  ///   - content: What the rows say.
  ///   - workers: How many threads prepare and encode.
  ///   - hasIndexes: Whether the entries of indexes are wanted too.
  /// - Throws: ``RunFailure`` for a customer key that is too short.
  init(_ content: WarehouseContent, workers: Int, hasIndexes: Bool = false) throws {
    self.content = content
    self.workers = workers
    let rowOrders = Later {
      RowOrders(content.purchases, symbols: content.sightings.symbols, workers: workers)
    }
    let customerKeys = Later { try CustomerKeys(content, workers: workers) }
    let symbolTexts = Later { SymbolTexts(content.sightings.symbols) }
    runTogether(
      [rowOrders.compute, customerKeys.compute, symbolTexts.compute], workers: workers)
    texts = try symbolTexts.get()
    let orders = try rowOrders.get()
    let facts = Self.facts(content, orders: orders, customers: try customerKeys.get())
    let entries = IndexRows(content, orders: orders)
    let indexes = [
      Later { entries.byDate }, Later { entries.byChain }, Later { entries.bridgeByPurchase },
      Later { entries.evidenceBySeries },
    ]
    runTogether((hasIndexes ? indexes + facts : facts).map { $0.compute }, workers: workers)
    self.facts = try facts.map { try $0.get() }
    self.indexes = hasIndexes ? try indexes.map { try $0.get() } : []
  }

  private static func facts(
    _ content: WarehouseContent, orders: RowOrders, customers: CustomerKeys
  ) -> [Later<FactSource>] {
    let subscriptions = SubscriptionRows(content, customers: customers)
    let rows = RowsByKey(content, order: orders.revenue)
    return [
      Later { RevenueRows(content, customers: customers, rows: rows).source },
      Later { BridgeRows.source(content, orders: orders) },
      Later { EntryRows.source(content, rows: rows) },
      Later { ConversionRows(content, customers: customers).source },
      Later { subscriptions.states },
      Later { subscriptions.source },
      Later { EligibilityRows.source(content, customers: customers) },
      Later { ProductRows.source(content) },
      Later { ProductRows.prices(content) },
      Later { EvidenceRows.source(content, customers: customers, keys: orders.keys) },
      Later { EvidenceRows.offers(content) },
      Later { BridgeRows.excluded(content) },
      Later { BacktestRows.source(content) },
    ]
  }

  /// The replaced tables that the content digest leaves out.
  var rest: [FactSource] {
    [
      ProductRows.days(content), AuditRows.rejects(content.rejects),
      AuditRows.files(content.files),
    ]
  }

  /// Encodes sources into a sink, or only adds up their digest.
  func write(
    _ sources: [FactSource], columns: [String: [String]], to sink: (any FactSink)?
  ) throws -> String {
    try EncodingLine.run(sources, columns: columns, texts: texts, workers: workers, sink: sink)
      .hexadecimal
  }
}
