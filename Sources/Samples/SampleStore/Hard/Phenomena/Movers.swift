/// Customers move to another country while a subscription runs.
///
/// The running subscription stays in the storefront where it was bought, in its currency and at
/// its prices, until it lapses; whatever is bought afterwards belongs to the new storefront. The
/// phone shows the new storefront's prices from the day of the move, and records name it.
///
/// The evidence tells where a subscription was bought through what was reported then, and where
/// the customer is now through what is reported now. A row between two places is known only if
/// something names it, or the run it belongs to.
struct Movers: Phenomenon {
  /// So many of a thousand customers move.
  var moves = 180
  /// Of those, so many move again.
  var movesAgain = 250

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.moves = moves
    world.habits.movesAgain = movesAgain
  }
}
