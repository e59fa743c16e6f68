/// A price that is in force from a moment on.
struct PriceStep: Hashable, Sendable {
  /// The effect of a change on existing subscribers.
  enum Effect: Sendable {
    /// The first price, in force from the beginning.
    case beginning
    /// A cut, or a change of a one-time product: the new price applies to all customers.
    case everyone
    /// A rise for new subscribers only.
    case preserved
    /// A rise for everybody, with notice to existing subscribers.
    case moved
    /// A rise that needs consent; subscribers without consent leave.
    case consent
    /// The storefront's change to another currency.
    ///
    /// The new list price applies to all customers from the next charge on.
    case currency
  }

  /// The first moment of the price in Unix milliseconds; `Int64.min` for the first price.
  var at: Int64
  var currency: WorldCurrency
  /// The price of one unit in thousandths.
  var price: Int64
  var effect: Effect
  /// Whether the change is in the catalogue.
  var isCatalogued = false
  /// The price from which the prices of offers are computed.
  ///
  /// Example: an offer of 50 percent costs half of this price. Some changes of the list price leave
  /// this price unchanged.
  var offerBase: Int64
}

/// Apple's price lists: the price of each product in each storefront over time.
struct PriceLists: Sendable {
  private var lists: [[PriceStep]]
  private let storefronts: Int

  /// Creates the lists of an app with constant prices: the dollar price, converted to each
  /// currency.
  init(_ products: [WorldProduct], _ storefronts: [WorldStorefront]) {
    self.storefronts = storefronts.count
    lists = []
    append(products, storefronts)
  }

  /// Creates constant prices from a table: for each product its price, keyed by currency.
  init(_ table: [[WorldCurrency: Int64]], _ storefronts: [WorldStorefront]) {
    self.storefronts = storefronts.count
    lists = table.flatMap { prices in
      storefronts.map { storefront in
        let price = prices[storefront.currency] ?? 0
        return [
          PriceStep(
            at: .min, currency: storefront.currency, price: price, effect: .beginning,
            offerBase: price)
        ]
      }
    }
  }

  /// Adds the first prices of additional products in each storefront.
  mutating func append(_ products: [WorldProduct], _ storefronts: [WorldStorefront]) {
    let dollar = WorldCurrency.named("USD")
    lists += products.flatMap { product in
      storefronts.map { storefront in
        let currency = storefront.currency
        let amount = currency.converted(product.dollars, from: dollar)
        let price = currency == dollar ? product.dollars : currency.price(near: amount)
        return [
          PriceStep(
            at: .min, currency: currency, price: price, effect: .beginning, offerBase: price)
        ]
      }
    }
  }

  /// All prices of a product in a storefront, oldest first.
  func steps(_ product: Int, _ storefront: Int) -> [PriceStep] {
    lists[product * storefronts + storefront]
  }

  /// The price that is in force at a moment.
  func step(_ product: Int, _ storefront: Int, at moment: Int64) -> PriceStep {
    let steps = steps(product, storefront)
    return steps.last { $0.at <= moment } ?? steps[0]
  }

  /// The price changes of a product in a storefront after the moment `after`, up to and including
  /// `through`.
  func steps(_ product: Int, _ storefront: Int, after: Int64, through: Int64) -> [PriceStep] {
    steps(product, storefront).filter { $0.at > after && $0.at <= through }
  }

  /// Whether no price of the product in the storefront changes between two moments.
  func isQuiet(_ product: Int, _ storefront: Int, from: Int64, to: Int64) -> Bool {
    steps(product, storefront, after: from, through: to).isEmpty
  }

  // MARK: - Changes

  /// Scales the prices of a product in a storefront from a moment on; `Int64.min` means always.
  ///
  /// Example: `9.99`, 130 percent from May 1 → `9.99`, from May 1 `12.99`. Prices that begin after
  /// the moment are scaled too. `withOffers` also scales the prices of offers.
  mutating func scale(
    _ product: Int, _ storefront: Int, from moment: Int64, percent: Int64,
    _ effect: PriceStep.Effect, isCatalogued: Bool = false, withOffers: Bool = false
  ) {
    let index = product * storefronts + storefront
    if moment != .min {
      var first = step(product, storefront, at: moment)
      first.at = moment
      first.effect = effect
      first.isCatalogued = isCatalogued
      insert(first, at: index)
    }
    func scaled(_ price: Int64, _ currency: WorldCurrency) -> Int64 {
      let scaled = currency.price(near: price * percent / 100)
      return scaled == price ? currency.neighbor(of: price, isHigher: percent > 100) : scaled
    }
    for position in lists[index].indices where lists[index][position].at >= moment {
      let step = lists[index][position]
      lists[index][position].price = scaled(step.price, step.currency)
      if withOffers { lists[index][position].offerBase = scaled(step.offerBase, step.currency) }
    }
    tidy(index)
  }

  /// Sets the price of a product in a storefront from a moment on.
  mutating func set(
    _ product: Int, _ storefront: Int, from moment: Int64, to price: Int64,
    _ effect: PriceStep.Effect, isCatalogued: Bool
  ) {
    let index = product * storefronts + storefront
    var step = step(product, storefront, at: moment)
    step.at = moment
    step.price = price
    step.effect = effect
    step.isCatalogued = isCatalogued
    insert(step, at: index)
    tidy(index)
  }

  /// Lowers the price for some time: adds a cut, and a later change back to the old price.
  ///
  /// - Precondition: No price of the product in the storefront changes during that time.
  mutating func dip(
    _ product: Int, _ storefront: Int, from: Int64, to: Int64, percent: Int64,
    back effect: PriceStep.Effect, isCatalogued: Bool
  ) {
    precondition(isQuiet(product, storefront, from: from, to: to), "a change within a sale")
    let index = product * storefronts + storefront
    var step = step(product, storefront, at: from)
    let price = step.price
    let low = step.currency.price(near: price * percent / 100)
    step.at = from
    step.price = low == price ? step.currency.neighbor(of: low, isHigher: false) : low
    step.effect = .everyone
    step.isCatalogued = isCatalogued
    insert(step, at: index)
    step.at = to
    step.price = price
    step.effect = effect
    insert(step, at: index)
    tidy(index)
  }

  /// Divides every price from a moment on, because the currency dropped zeros.
  ///
  /// Example: `3990.00`, divided by 100 → `39.99`. The new list price applies to all customers.
  mutating func rebase(
    _ product: Int, _ storefront: Int, from moment: Int64, dividedBy factor: Int64
  ) {
    let index = product * storefronts + storefront
    var first = step(product, storefront, at: moment)
    first.at = moment
    first.effect = .everyone
    first.isCatalogued = false
    insert(first, at: index)
    for position in lists[index].indices where lists[index][position].at >= moment {
      let step = lists[index][position]
      lists[index][position].price = step.currency.price(near: step.price / factor)
      lists[index][position].offerBase = step.currency.price(near: step.offerBase / factor)
    }
    tidy(index)
  }

  /// Changes the currency of a product in a storefront from a moment on.
  ///
  /// The prices are copied from a storefront that already has the currency. Without such a
  /// storefront, the old prices are converted.
  mutating func switchCurrency(
    _ product: Int, _ storefront: Int, at moment: Int64, to currency: WorldCurrency,
    following model: Int?
  ) {
    let index = product * storefronts + storefront
    let first = step(product, model ?? storefront, at: moment)
    let later = steps(product, model ?? storefront, after: moment, through: .max)
    lists[index].removeAll { $0.at >= moment }
    for var step in [first] + later {
      if step.at <= moment {
        step.at = moment
        step.effect = .currency
        step.isCatalogued = false
      }
      let old = step.currency
      step.currency = currency
      if old != currency {
        step.price = currency.price(near: currency.converted(step.price, from: old))
        step.offerBase = currency.price(near: currency.converted(step.offerBase, from: old))
      }
      insert(step, at: index)
    }
    tidy(index)
  }

  /// Inserts a price in order of time, and replaces a price that begins at the same moment.
  private mutating func insert(_ step: PriceStep, at index: Int) {
    lists[index].removeAll { $0.at == step.at }
    lists[index].append(step)
    lists[index].sort { $0.at < $1.at }
  }

  /// Removes steps that change no price, and makes every cut apply to all customers.
  private mutating func tidy(_ index: Int) {
    var tidied: [PriceStep] = []
    for var step in lists[index] {
      if let last = tidied.last, step.effect != .currency {
        if step.price == last.price, step.offerBase == last.offerBase { continue }
        if step.price < last.price { step.effect = .everyone }
      }
      tidied.append(step)
    }
    lists[index] = tidied
  }
}
