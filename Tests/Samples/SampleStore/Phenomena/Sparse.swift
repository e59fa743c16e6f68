/// Only one customer in twenty reports prices.
///
/// There is little evidence: in most storefronts a product has one report or none.
struct Sparse: Phenomenon {
  /// The number of phones per thousand that report prices.
  var phones = 50

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.reporting.phones = phones
  }
}
