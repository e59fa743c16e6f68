/// A charge as the owner's export has it.
struct AccountCharge: Sendable {
  /// The position in ``Account/purchases``.
  var purchase: Int
  var form: ChargeForm
  /// The time at which the owner's server stored the charge.
  var at: Int64
}

/// A form in which an owner's export has charges.
enum ChargeForm: Sendable {
  /// Apple's decoded transactions, without their signatures.
  case decoded
  /// A table with one row per charge, as CSV.
  case table
  /// The same rows as JSON, one per line.
  case lines
  /// Events of RevenueCat's webhook.
  case webhook
}

extension Account {
  /// Adds charges for some of the purchases that a response shows.
  ///
  /// The charges are those of the owner's app in production; free rows are in decoded transactions
  /// only.
  mutating func addCharges(
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
          purchase: index, form: form, at: row.cancelledAt + delay))
    }
  }
}
