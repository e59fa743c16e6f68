package import Amounts
package import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A checked catalogue whose names are still text, before a run's symbols exist.
package struct CatalogueText {
  struct Offer {
    var kind: Catalogue.OfferKind
    var identifier: String
    var currency: Currency
    var price: Milliunits
    var paymentMode: PaymentMode
    var numberOfPeriods: Int32?
    var period: Period?
    /// The name of the campaign.
    var name: String?
  }

  struct Product {
    var productID: String
    var kind: ProductKind?
    var subscriptionGroupID: String?
    var subscriptionPeriod: Period?
    /// Apple's number of the product, which the Subscriber report names it by.
    var appleID: String?
    var priceChanges: [Catalogue.PriceChange] = []
    var prices: [Catalogue.ListPrice] = []
    var offers: [Offer] = []
    /// The line of the file of each price and each offer.
    var lines = EntryLines()
  }

  /// The line numbers of a product's entries, for messages; they do not belong to the content.
  struct EntryLines {
    var prices: [Int] = []
    var offers: [Int] = []
  }

  /// The products, in the order of the file.
  var products: [Product] = []
  /// Apple's commission and the taxes it collects; `nil` if the file does not mention them.
  var proceeds: ProceedsTerms?

  /// The products that Apple IDs stand for.
  var appleIDs: [String: String] {
    var products: [String: String] = [:]
    for product in self.products {
      if let number = product.appleID { products[number] = product.productID }
    }
    return products
  }

  /// Every name in it, sorted, each once.
  var texts: [String] {
    var texts: Set<String> = []
    for product in products {
      texts.insert(product.productID)
      if let group = product.subscriptionGroupID { texts.insert(group) }
      for offer in product.offers {
        texts.insert(offer.identifier)
        if let name = offer.name { texts.insert(name) }
      }
    }
    return texts.sorted()
  }

  /// The line of a product's list price; `nil` without such a price.
  package func line(
    ofPrice price: Milliunits, from day: CivilDay, in currency: Currency, of product: String
  )
    -> Int?
  {
    guard let product = products.first(where: { $0.productID == product }),
      let index = product.prices.firstIndex(where: {
        $0.price == price && $0.from == day && $0.currency == currency
      })
    else { return nil }
    return product.lines.prices[index]
  }

  /// The line of an offer's price; `nil` without such an offer.
  package func line(
    ofOffer identifiers: [String], price: Milliunits, in currency: Currency, of product: String
  )
    -> Int?
  {
    guard let product = products.first(where: { $0.productID == product }),
      let index = product.offers.firstIndex(where: {
        identifiers.contains($0.identifier) && $0.price == price && $0.currency == currency
      })
    else { return nil }
    return product.lines.offers[index]
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
              numberOfPeriods: offer.numberOfPeriods, period: offer.period,
              name: offer.name.map { OfferID(symbol($0)) })
          }
          .sorted { ($0.identifier, $0.currency) < ($1.identifier, $1.currency) })
      }, proceeds: proceeds)
  }
}
