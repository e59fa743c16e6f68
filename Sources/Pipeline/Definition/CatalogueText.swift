internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A checked catalogue whose names are still text, before a run's symbols exist.
struct CatalogueText: Hashable {
  struct Offer: Hashable {
    var kind: Catalogue.OfferKind
    var identifier: String
    var currency: Currency
    var price: Milliunits
    var paymentMode: PaymentMode
    var numberOfPeriods: Int32?
    var period: Period?
  }

  struct Product: Hashable {
    var productID: String
    var kind: ProductKind?
    var subscriptionGroupID: String?
    var subscriptionPeriod: Period?
    var priceChanges: [Catalogue.PriceChange] = []
    var prices: [Catalogue.ListPrice] = []
    var offers: [Offer] = []
  }

  /// The products, in the order of the file.
  var products: [Product] = []

  /// Every name in it, sorted, each once.
  var texts: [String] {
    var texts: Set<String> = []
    for product in products {
      texts.insert(product.productID)
      if let group = product.subscriptionGroupID { texts.insert(group) }
      for offer in product.offers { texts.insert(offer.identifier) }
    }
    return texts.sorted()
  }

  /// The catalogue in the symbols of a table that holds all its ``texts``.
  ///
  /// - Precondition: the table holds all of them.
  func catalogue(in symbols: SymbolTable) -> Catalogue {
    func symbol(_ text: String) -> Symbol {
      guard let symbol = symbols.symbol(text) else {
        preconditionFailure("a catalogue name is missing in the symbol table")
      }
      return symbol
    }
    return Catalogue(
      products: products.map { product in
        Catalogue.Product(
          productID: ProductID(symbol(product.productID)), kind: product.kind,
          subscriptionGroupID: product.subscriptionGroupID.map { SubscriptionGroupID(symbol($0)) },
          subscriptionPeriod: product.subscriptionPeriod,
          priceChanges: product.priceChanges.sorted {
            ($0.currency, $0.from) < ($1.currency, $1.from)
          },
          prices: product.prices.sorted { ($0.currency, $0.from) < ($1.currency, $1.from) },
          offers: product.offers.map { offer in
            Catalogue.Offer(
              kind: offer.kind, identifier: OfferID(symbol(offer.identifier)),
              currency: offer.currency, price: offer.price, paymentMode: offer.paymentMode,
              numberOfPeriods: offer.numberOfPeriods, period: offer.period)
          }
          .sorted { ($0.identifier, $0.currency) < ($1.identifier, $1.currency) })
      })
  }
}
