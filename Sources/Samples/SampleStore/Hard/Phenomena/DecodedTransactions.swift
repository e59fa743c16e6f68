internal import CivilTime

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

/// The owner's export has a table with one row per charge.
///
/// Each row has the transaction id, the product, the amount that was paid for the whole quantity,
/// the currency and the time. A few rows are missing. Prices rise for new subscribers only, and the
/// catalogue lacks the rises. Stores with an odd seed have the table as JSON, others as CSV.
///
/// The evidence is the row of a charge, and the earlier rows of its subscription.
struct ChargeTable: Phenomenon {
  /// The number of charges that are in the table, per thousand.
  var listed = 950

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.chargeForms.append(form(world))
    world.riseForNewSubscribers(&random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    account.addCharges(form(world), perMille: listed, in: world, &random)
  }

  private func form(_ world: World) -> ChargeForm { world.seed % 2 == 1 ? .lines : .table }
}

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

extension World {
  /// Raises the prices of some plans for new subscribers only; the catalogue lacks the rises.
  fileprivate mutating func riseForNewSubscribers(_ random: inout SampleRandom) {
    changePlans(
      in: ["USD", "EUR", "GBP", "USD", "EUR", "JPY"], within: 20...60, percent: 118...150,
      .preserved, isCatalogued: false, &random)
  }
}

extension Account {
  /// Adds charges for some of the purchases that a response shows.
  ///
  /// The charges are those of the owner's app in production; free rows are in decoded transactions
  /// only.
  fileprivate mutating func addCharges(
    _ form: ChargeForm, perMille: Int, in world: World, _ random: inout SampleRandom
  ) {
    guard !isSandbox, world.apps.contains(bundle) else { return }
    var shown: Set<Int> = []
    for upload in uploads { shown.formUnion(visible(at: upload.at)) }
    for index in shown.sorted() where random.happens(perMille: perMille) {
      let row = purchases[index]
      guard !row.isFamilyShared, row.paid > 0 || form == .decoded, row.purchasedAt >= world.start
      else { continue }
      let delay = Int64(random.within(1...30)) * 1000
      charges.append(AccountCharge(purchase: index, form: form, at: row.knownFrom + delay))
      let newest = uploads.map(\.at).filter { visible(at: $0).contains(index) }.max() ?? 0
      // Apple sends a refunded transaction again.
      guard form == .decoded, row.cancelledAt > 0, row.upgradedAt == 0, row.cancelledAt < newest
      else { continue }
      charges.append(
        AccountCharge(
          purchase: index, form: form, at: row.cancelledAt + delay, isRefund: true))
    }
  }
}
