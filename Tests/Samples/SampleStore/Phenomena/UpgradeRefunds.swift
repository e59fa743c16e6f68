/// Subscribers upgrade, and Apple refunds the new plan.
///
/// Plans change six times as often as usual. A third of the upgrades are refunded within days, and
/// the subscription ends. Some of the upgraded rows have both a cancellation date and
/// `is_upgraded`.
///
/// The prices are determined as usual; a refund does not change the paid amount.
struct UpgradeRefunds: Phenomenon {
  var changes = 110
  /// The number of upgrades per thousand that are refunded.
  var regretted = 330
  /// The number of upgraded rows per thousand that also have a cancellation date.
  var cancelled = 300

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.changes = changes
    world.habits.regretsUpgrade = regretted
    world.habits.upgradeIsCancelled = cancelled
  }
}
