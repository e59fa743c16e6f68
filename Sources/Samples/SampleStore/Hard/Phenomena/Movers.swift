/// Customers move to another country while a subscription runs.
///
/// The running subscription stays in the storefront where it was bought, in its currency and at its
/// prices, until it lapses; whatever is bought afterwards belongs to the new storefront. The phone
/// shows the new storefront's prices from the day of the move, and records have the new storefront.
///
/// Reports at the time of a purchase show where it was made. A row between two storefronts is known
/// only if a report has its transaction id, or that of its spell.
struct Movers: Phenomenon {
  /// The number in a thousand of customers who move.
  var moves = 180
  /// The number in a thousand of them who move again.
  var movesAgain = 250

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.moves = moves
    world.habits.movesAgain = movesAgain
  }
}
