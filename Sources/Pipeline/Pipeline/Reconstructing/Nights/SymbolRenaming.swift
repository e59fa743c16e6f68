internal import StateStore
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The names in this run of the symbols of an earlier one.
struct SymbolRenaming {
  private let numbers: [UInt32]
  private let texts: StateTexts
  /// Whether every symbol had a name.
  private(set) var isComplete = true

  /// - Parameters:
  ///   - numbers: By symbol of the earlier run: its number in state.db.
  ///   - texts: The texts of this run.
  init(numbers: [UInt32], texts: StateTexts) {
    self.numbers = numbers
    self.texts = texts
  }

  mutating func rename(_ symbol: inout Symbol) {
    let old = Int(symbol.rawValue)
    guard old < numbers.count, numbers[old] > 0, let new = texts.symbol(ofNumber: numbers[old])
    else {
      isComplete = false
      return
    }
    symbol = new
  }

  mutating func rename(_ number: inout AppleNumber) {
    guard var symbol = number.symbol else { return }
    rename(&symbol)
    number = AppleNumber(rawValue: (number.rawValue >> 32) << 32 | UInt64(symbol.rawValue))
  }

  mutating func rename(_ product: inout ProductID) {
    var symbol = product.symbol
    rename(&symbol)
    product = ProductID(symbol)
  }

  mutating func rename(_ customer: inout CustomerID) {
    var symbol = customer.symbol
    rename(&symbol)
    customer = CustomerID(symbol)
  }

  mutating func rename(_ prices: inout PublishedPrices) {
    for place in prices.intervals.indices {
      rename(&prices.intervals[place].productID)
      if case .offer(let offer) = prices.intervals[place].series.kind {
        var symbol = offer.symbol
        rename(&symbol)
        prices.intervals[place].series.kind = .offer(OfferID(symbol))
      }
    }
  }

  mutating func rename(_ id: inout TransactionID) {
    var number = id.number
    rename(&number)
    id = TransactionID(number)
  }
}

extension PublishedIndex {
  /// Gives all symbols the names of another run.
  mutating func rename(_ renaming: inout SymbolRenaming) {
    for place in customers.indices { renaming.rename(&customers[place].customer) }
    for place in claims.indices { renaming.rename(&claims[place].id) }
    for place in winners.indices { renaming.rename(&winners[place].id) }
    for place in nobodies.indices { renaming.rename(&nobodies[place].customer) }
    for place in questions.indices { renaming.rename(&questions[place].question.productID) }
    for place in placed.indices { renaming.rename(&placed[place].productID) }
    for place in reports.indices {
      if var customer = reports[place].customer {
        renaming.rename(&customer)
        reports[place].customer = customer
      }
      if var id = reports[place].transactionID {
        renaming.rename(&id)
        reports[place].transactionID = id
      }
    }
    for place in votes.indices { renaming.rename(&votes[place].placed.productID) }
    renameOffers(&renaming)
    renameStorefronts(&renaming)
    renaming.rename(&prices)
    renaming.rename(&unsignedPrices)
    renameProducts(&renaming)
    nobodies.sort { $0.customer < $1.customer }
    // Ids that are texts are in the order of their symbols, which has changed.
    if claims.contains(where: { $0.id.number.symbol != nil }) {
      claims.sort { ($0.id, $0.chain) < ($1.id, $1.chain) }
    }
  }

  private mutating func renameOffers(_ renaming: inout SymbolRenaming) {
    var renamed = OfferLists()
    for list in 1..<max(1, offers.count) {
      let prices = offers[OfferListIndex(Int32(list))].map { price in
        var price = price
        if let offer = price.offerID {
          var symbol = offer.symbol
          renaming.rename(&symbol)
          price.offerID = OfferID(symbol)
        }
        return price
      }
      _ = renamed.index(of: prices)
    }
    offers = renamed
  }

  private mutating func renameStorefronts(_ renaming: inout SymbolRenaming) {
    for place in storefronts.indices {
      if var customer = storefronts[place].customer {
        renaming.rename(&customer)
        storefronts[place].customer = customer
      }
      if let chain = storefronts[place].originalTransactionID {
        var number = chain.number
        renaming.rename(&number)
        storefronts[place].originalTransactionID = OriginalTransactionID(number)
      }
    }
  }

  private mutating func renameProducts(_ renaming: inout SymbolRenaming) {
    var counts: [ProductFacts.Term: Int] = [:]
    for (term, count) in products.counts {
      var term = term
      renaming.rename(&term.productID)
      counts[term] = count
    }
    var groups: [ProductID: ProductFacts.NamedGroup] = [:]
    for (product, named) in products.groups {
      var (product, group) = (product, named.group.symbol)
      renaming.rename(&product)
      renaming.rename(&group)
      groups[product] = ProductFacts.NamedGroup(at: named.at, group: SubscriptionGroupID(group))
    }
    products = ProductFacts(
      counts: counts, shownKinds: renaming.renamed(products.shownKinds), groups: groups)
    tally.bought = Set(
      renaming.renamed(Dictionary(uniqueKeysWithValues: tally.bought.map { ($0, 0) })).keys)
    var missing: [FactTally.Series: Int] = [:]
    for (series, count) in tally.missing {
      var series = series
      renaming.rename(&series.productID)
      missing[series] = count
    }
    tally.missing = missing
  }
}

extension SymbolRenaming {
  fileprivate mutating func renamed<Value>(_ values: [ProductID: Value]) -> [ProductID: Value] {
    var renamed: [ProductID: Value] = [:]
    for (product, value) in values {
      var product = product
      rename(&product)
      renamed[product] = value
    }
    return renamed
  }
}
