internal import CivilTime

/// Changes of the plan within a subscription.
extension AccountLife {
  /// Changes to another plan of the group: an upgrade immediately, a downgrade at the renewal.
  mutating func changePlan(_ timeline: inout AccountSubscription) {
    let others = world.plans.filter {
      $0 != timeline.product && world.products[$0].group == world.products[timeline.product].group
        && world.sold($0, at: timeline.end) == $0
    }
    let isAtHome = account.storefront(at: timeline.end) == timeline.storefront
    guard !others.isEmpty, isAtHome, timeline.running == nil else {
      return renew(&timeline, at: timeline.end)
    }
    let other = others[random.below(others.count)]
    if world.products[other].level < world.products[timeline.product].level {
      upgrade(&timeline, to: other)
    } else {
      addState(timeline, at: timeline.end - day(2)) { $0.nextProduct = other }
      switchPlan(&timeline, to: other, at: timeline.end)
    }
  }

  private mutating func upgrade(_ timeline: inout AccountSubscription, to product: Int) {
    let start = account.purchases[timeline.row].purchasedAt
    let length = Int(timeline.end - start) / 1000
    let moment = start + Int64(random.within(1...max(1, length - 7200))) * 1000
    account.purchases[timeline.row].upgradedAt = moment + 2000
    account.purchases[timeline.row].cancelledAt = 0
    account.purchases[timeline.row].cancelledUntil = .max
    let left = timeline.row
    switchPlan(&timeline, to: product, at: moment)
    buysInApp(timeline.row)
    // A habit that a store does not have draws no random number.
    if world.habits.upgradeIsCancelled > 0,
      random.happens(perMille: world.habits.upgradeIsCancelled)
    {
      account.purchases[left].cancelledAt = moment + 2000
    }
    if world.habits.regretsUpgrade > 0, random.happens(perMille: world.habits.regretsUpgrade) {
      account.purchases[timeline.row].cancelledAt = moment + day(random.within(1...9)) + second()
      timeline.isLast = true
    }
  }

  private mutating func switchPlan(
    _ timeline: inout AccountSubscription, to product: Int, at moment: Int64
  ) {
    timeline.product = product
    timeline.running = nil
    timeline.held = nil
    timeline.isByMonth = false
    restartAnchor(&timeline, at: moment)
    addRegular(to: &timeline, from: moment)
    addState(timeline, at: moment)
  }

  /// Moves some subscribers of a replaced product to its successor, at a renewal.
  ///
  /// Draws only for a product that has been replaced.
  mutating func movesToSuccessor(_ timeline: inout AccountSubscription) -> Bool {
    let next = world.sold(timeline.product, at: timeline.end)
    guard next != timeline.product, timeline.running == nil,
      random.happens(perMille: world.habits.movesToSuccessor)
    else { return false }
    switchPlan(&timeline, to: next, at: timeline.end)
    buysInApp(timeline.row)
    return true
  }
}
