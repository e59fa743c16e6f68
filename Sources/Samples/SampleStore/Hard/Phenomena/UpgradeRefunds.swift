/// Subscribers change to better plans, and Apple gives the money for the new plan back.
///
/// Plans change six times as often as usual. A third of the upgrades are regretted within days: the
/// new row is refunded and the subscription ends. Of the rows left behind, some bear a date of
/// cancellation beside the mark of the upgrade.
///
/// The evidence determines all prices as usual; a refund changes what came back, not what was paid.
struct UpgradeRefunds: Phenomenon {
  var changes = 110
  /// The number in a thousand of upgrades that are refunded.
  var regretted = 330
  /// The number in a thousand of upgraded rows with a cancellation too.
  var cancelled = 300

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.changes = changes
    world.habits.regretsUpgrade = regretted
    world.habits.upgradeIsCancelled = cancelled
  }
}
