public import PurchaseModel

/// Builds ``Observations`` and a ``Catalogue`` from a scenario that consists of readable calls.
///
/// Ids are any short texts ("a", "b"), times ISO 8601 ("2021-05-01" is midnight UTC), prices
/// decimal digits. Each call adds one record on its own line, in the order of the calls; every
/// price report gets the next evidence id, from 1. A value that cannot be read is a mistake in the
/// test and stops it.
public struct StoreBuilder {
  var records: [RecordDraft] = []
  var reports: [ReportDraft] = []
  var products: [ProductDraft] = []

  /// Creates an empty store.
  public init() {}

  /// Adds a receipt response with its rows and renewal states.
  public mutating func record(
    at snapshot: String, customer: String? = nil, storefront: String? = nil,
    bundle: String? = nil, sandbox: Bool = false, namesEnvironment: Bool = true,
    inApp: [StoreRow] = [], latest: [StoreRow] = [], renewals: [StoreRenewal] = [], file: Int32 = 0
  ) {
    records.append(
      RecordDraft(
        line: Int32(records.count + reports.count + 1), file: file, snapshot: snapshot,
        customer: customer, storefront: storefront, bundle: bundle, sandbox: sandbox,
        namesEnvironment: namesEnvironment,
        rows: inApp.map { ($0, .inApp) } + latest.map { ($0, .latest) }, renewals: renewals))
  }

  /// Adds a price report.
  public mutating func report(
    at time: String, customer: String? = nil, naming id: String? = nil, product: String = "pro",
    bundle: String? = nil, storefront: String? = nil, currency: String = "USD", price: String,
    meaning: PriceMeaning = .list, sender: ChargeSender = .app, isTrusted: Bool = false,
    offers: [StoreOffer] = [], applied: String? = nil, file: Int32 = 0
  ) {
    reports.append(
      ReportDraft(
        line: Int32(records.count + reports.count + 1), file: file, time: time,
        customer: customer, id: id, product: product, bundle: bundle, storefront: storefront,
        currency: currency, price: price, meaning: meaning, sender: sender,
        isTrusted: isTrusted, offers: offers, applied: applied))
  }

  /// Adds a product to the catalogue.
  ///
  /// Changes have the currency, the first day and the effect on subscribers; prices have the
  /// currency, the price and the first day. Prices of single storefronts are in `lists`.
  public mutating func product(
    _ id: String, bundle: String? = nil, kind: ProductKind? = nil, group: String? = nil,
    period: String? = nil,
    changes: [(String, String, ExistingSubscribers)] = [],
    prices: [(String, String, String)] = [], lists: [StoreList] = [], offers: [StoreOffer] = []
  ) {
    products.append(
      ProductDraft(
        id: id, bundle: bundle, kind: kind, group: group, period: period,
        lists: [StoreList(changes: changes, prices: prices)] + lists, offers: offers))
  }

  /// The store as the input of the rules.
  public func build() -> BuiltStore {
    var builder = SetBuilder(symbols: symbols())
    for record in records { builder.add(record) }
    for report in reports { builder.add(report) }
    let named = Dictionary(products.map { ($0.id, 1) }, uniquingKeysWith: +)
    return BuiltStore(
      observations: builder.set,
      catalogue: Catalogue(
        products: products.map { builder.product($0, isShared: named[$0.id, default: 0] > 1) }))
  }

  /// Every text of the scenario in a sorted table.
  private func symbols() -> SymbolTable {
    var texts: Set<String> = []
    for record in records {
      texts.formUnion([record.customer, record.bundle].compactMap(\.self))
      for (row, _) in record.rows {
        texts.formUnion([row.id, row.product])
        texts.formUnion(
          [row.original, row.item, row.reason, row.promo, row.code, row.ownership, row.group]
            .compactMap(\.self))
      }
      for renewal in record.renewals {
        texts.insert(renewal.original)
        texts.formUnion(
          [renewal.product, renewal.next, renewal.intent, renewal.consent, renewal.increase]
            .compactMap(\.self))
      }
    }
    for report in reports {
      texts.insert(report.product)
      texts.formUnion(
        [report.customer, report.id, report.applied, report.bundle].compactMap(\.self))
      texts.formUnion(report.offers.compactMap(\.id))
    }
    for product in products {
      texts.insert(product.id)
      texts.formUnion([product.group, product.bundle].compactMap(\.self))
      texts.formUnion(product.offers.compactMap(\.id))
    }
    var table = SymbolTable()
    for text in texts { _ = table.intern(text) }
    return table.sorted().table
  }
}

struct RecordDraft {
  var line: Int32
  var file: Int32
  var snapshot: String
  var customer: String?
  var storefront: String?
  var bundle: String?
  var sandbox: Bool
  var namesEnvironment: Bool
  var rows: [(StoreRow, ObservationRank)]
  var renewals: [StoreRenewal]
}

struct ReportDraft {
  var line: Int32
  var file: Int32
  var time: String
  var customer: String?
  var id: String?
  var product: String
  var bundle: String?
  var storefront: String?
  var currency: String
  var price: String
  var meaning: PriceMeaning
  var sender: ChargeSender
  var isTrusted: Bool
  var offers: [StoreOffer]
  var applied: String?
}

struct ProductDraft {
  var id: String
  var bundle: String?
  var kind: ProductKind?
  var group: String?
  var period: String?
  var lists: [StoreList]
  var offers: [StoreOffer]
}
