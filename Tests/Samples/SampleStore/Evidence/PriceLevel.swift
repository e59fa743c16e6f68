/// A price in a currency, with the offer to which it belongs.
struct PriceTerms: Hashable, Sendable {
  var currency: WorldCurrency
  /// The price of one unit, or of one charge of an offer, in thousandths.
  var price: Int64
  /// The terms of an offer; `nil` for a regular price.
  var offer: WorldOffer?
}

/// A price of a product or offer that is in force from a moment until the next level begins.
struct PriceLevel: Hashable, Sendable {
  /// The beginning in Unix milliseconds; `Int64.min` for the first level.
  var from: Int64
  /// The price in force; `nil` while there is no offer.
  var terms: PriceTerms?
  /// Whether the catalogue has the day on which the level begins.
  var isDated = false
}

/// The regular price of a product, one monthly payment of a yearly plan, its introductory offer, or
/// one of its promotional offers.
enum PriceSubject: Hashable, Sendable {
  case regular(Int)
  case instalment(Int)
  case introductory(Int)
  case promotional(Int, String)

  /// The price levels in a storefront, oldest first; consecutive levels have different terms.
  func levels(in world: World, _ storefront: Int) -> [PriceLevel] {
    var levels: [PriceLevel] = []
    func add(_ level: PriceLevel) {
      if levels.last?.terms != level.terms || levels.isEmpty { levels.append(level) }
    }
    func terms(_ offer: WorldOffer?, _ product: Int, at moment: Int64) -> PriceTerms? {
      offer.map {
        let step = world.prices.step(product, storefront, at: moment)
        return PriceTerms(
          currency: step.currency, price: world.priced($0, by: step).price, offer: $0)
      }
    }
    switch self {
    case .regular(let product):
      for step in world.prices.steps(product, storefront) {
        add(
          PriceLevel(
            from: step.at, terms: PriceTerms(currency: step.currency, price: step.price),
            isDated: step.isCatalogued))
      }
    case .instalment(let product):
      guard let commitment = world.commitments[product] else { return [] }
      for step in world.prices.steps(product, storefront) {
        let price = commitment.instalment(of: step.price, in: step.currency)
        add(
          PriceLevel(
            from: step.at, terms: PriceTerms(currency: step.currency, price: price),
            isDated: step.isCatalogued))
      }
    case .introductory(let product):
      let moments = world.prices.steps(product, storefront).map(\.at)
      for moment in Set(moments + world.offers.eras(product, storefront).map(\.from)).sorted() {
        let offer = world.offers.introduction(product, storefront, at: moment)
        add(PriceLevel(from: moment, terms: terms(offer, product, at: moment)))
      }
    case .promotional(let product, let identifier):
      let change = world.offers.repriced[identifier].map { [$0.from] } ?? []
      let moments = world.prices.steps(product, storefront).map(\.at) + change
      for moment in Set(moments).sorted() {
        let offer = world.offers.promotions(product, at: moment).first {
          $0.identifier == identifier
        }
        add(PriceLevel(from: moment, terms: terms(offer, product, at: moment)))
      }
    }
    return levels
  }
}
