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
