/// The owner's export has the events of a service's webhook.
///
/// RevenueCat sends an event for each purchase and renewal, with the amount in the currency of the
/// purchase and in US dollars. The amount of a first purchase is what the phone paid; the amount of
/// a renewal is computed by the service. Prices rise for new subscribers only, and the catalogue
/// lacks the rises.
///
/// The evidence is the event of a first purchase, and the earlier rows of a subscription.
struct ServiceWebhooks: Phenomenon {
  /// The number of events that the server has kept, per thousand.
  var kept = 970

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.chargeForms.append(.webhook)
    world.riseForNewSubscribers(&random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    account.addCharges(.webhook, perMille: kept, in: world, &random)
  }
}
