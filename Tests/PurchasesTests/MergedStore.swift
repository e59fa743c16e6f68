internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

/// A scenario's store with its merged book, and functions that find its parts by text.
struct MergedStore {
  var store: BuiltStore
  var book: PurchaseHistory

  init(bundles: [String] = [], _ build: (inout StoreBuilder) -> Void) throws {
    var builder = StoreBuilder()
    build(&builder)
    store = builder.build()
    let named = store
    book = mergeObservations(
      store.observations, bundleIDs: Set(bundles.map { named.bundle($0) }))
  }

  /// The purchase with a transaction id.
  func purchase(_ id: String) throws -> Purchase {
    book.purchases[try #require(book.purchase(named: store.transaction(id)))]
  }

  /// The chain of an original transaction id.
  func chain(_ id: String) throws -> Chain {
    book.chains[try #require(book.chain(named: store.chain(id)))]
  }

  /// The transaction ids of the history's purchases, in the order of the history.
  var ids: [String] { book.purchases.map { store.text($0.transactionID) } }

  /// The aliases in the form "id>purchase's own id".
  var aliases: [String] {
    book.aliases.map {
      let purchase = book.purchases[$0.purchase.index]
      return "\(store.text($0.transactionID))>\(store.text(purchase.transactionID))"
    }
  }

  /// The timelines of the revenue rows.
  var timelines: BillingTimelines { Purchases.timelines(of: book, catalogue: store.catalogue) }

  /// The kind of each product.
  var kinds: [ProductID: ProductKind] {
    ProductFacts(book, catalogue: store.catalogue).kinds(catalogue: store.catalogue)
  }

  /// The timeline of the purchase with a transaction id.
  func timeline(_ id: String) throws -> BillingTimeline {
    timelines.rows[try #require(book.purchase(named: store.transaction(id)))]
  }
}
