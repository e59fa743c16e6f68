internal import CivilTime
internal import PurchaseModel

extension AccountLife {
  /// Decides whether a subscription that begins is paid by the month.
  ///
  /// Draws only if the plan is sold by the month at that moment.
  mutating func choosesMonths(_ timeline: AccountSubscription, at moment: Int64) -> Bool {
    guard let commitment = world.commitments[timeline.product], commitment.from <= moment else {
      return false
    }
    return random.happens(perMille: commitment.share)
  }

  /// Adds a monthly payment of a yearly plan: a row of one month with the yearly plan's product id.
  ///
  /// The first payment of a commitment is computed from the yearly price of that day; the other
  /// eleven are equal to it.
  mutating func addInstalment(to timeline: inout AccountSubscription, from moment: Int64) {
    if timeline.instalmentsLeft == 0 {
      timeline.held = heldPrice(of: timeline, at: moment)
      timeline.instalmentsLeft = Commitment.payments
      timeline.commitments += 1
      timeline.committedUntil = BillingClock.moment(
        Commitment.payments, of: .sample("P1M"), after: moment)
      restartAnchor(&timeline, at: moment)
    }
    guard let held = timeline.held, let commitment = world.commitments[timeline.product] else {
      return
    }
    timeline.instalmentsLeft -= 1
    timeline.periods += 1
    let end = BillingClock.moment(timeline.periods, of: .sample("P1M"), after: timeline.anchor)
    append(
      .regular, to: &timeline, from: moment, until: end, held.currency,
      paid: commitment.instalment(of: held.price, in: held.currency))
    account.purchases[timeline.row].commitment = timeline.commitments
    account.purchases[timeline.row].payment = Commitment.payments - timeline.instalmentsLeft
    account.purchases[timeline.row].committedUntil = timeline.committedUntil
  }

  /// Simulates what follows a payment within a commitment: the next one, or a declined card.
  ///
  /// Returns `false` if the subscription has ended permanently.
  mutating func proceedInCommitment(_ timeline: inout AccountSubscription) -> Bool {
    if random.happens(perMille: world.habits.declined) { return retryBilling(&timeline) }
    addInstalment(to: &timeline, from: timeline.end)
    return true
  }
}
