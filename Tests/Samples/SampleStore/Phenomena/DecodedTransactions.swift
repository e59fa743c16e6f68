/// The owner's export has Apple's decoded transactions for some charges.
///
/// A server has verified and decoded the transactions that Apple sent, and kept the JSON without
/// the signatures. Each has the charge, the offer and the storefront. Prices rise for new
/// subscribers only, and the catalogue lacks the rises: the transactions of older subscribers have
/// their own, lower price.
///
/// The evidence is the transaction of a purchase; it also shows the price of later renewals, until
/// the price may have changed.
struct DecodedTransactions: Phenomenon {
  /// The number of customers per thousand whose transactions the server has kept.
  var customers = 500
  /// The number of transactions that the server has kept, per thousand of these customers.
  var kept = 800

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.chargeForms.append(.decoded)
    world.riseForNewSubscribers(&random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: customers) else { return }
    account.addCharges(.decoded, perMille: kept, in: world, &random)
  }
}

extension World {
  /// Raises the prices of some plans for new subscribers only; the catalogue lacks the rises.
  mutating func riseForNewSubscribers(_ random: inout SampleRandom) {
    changePlans(
      in: ["USD", "EUR", "GBP", "USD", "EUR", "JPY"], within: 20...60, percent: 118...150,
      .preserved, isCatalogued: false, &random)
  }
}
