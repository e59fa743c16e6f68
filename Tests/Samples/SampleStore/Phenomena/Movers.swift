/// Customers move to another country while a subscription runs.
///
/// The running subscription stays in the storefront where it was bought, in its currency and at its
/// prices, until it ends; everything bought afterwards belongs to the new storefront. The phone
/// shows the new storefront's prices from the day of the move, and records have the new storefront.
///
/// A report at the time of a purchase shows the storefront of the purchase. If a row may be of
/// either storefront, a report with the row's transaction id is the evidence. A report with the id
/// of another row is evidence too, if no lapse is between the two rows.
struct Movers: Phenomenon {
  /// The number of customers per thousand who move.
  var moves = 180
  /// The number of customers who move again, per thousand customers who have moved.
  var movesAgain = 250

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.moves = moves
    world.habits.movesAgain = movesAgain
  }
}
