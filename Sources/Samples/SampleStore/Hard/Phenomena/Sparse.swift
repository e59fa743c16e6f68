/// Only one customer in twenty reports prices.
///
/// The evidence is thin: in most storefronts a product has one report or none.
struct Sparse: Phenomenon {
  /// The number in a thousand of phones that report prices.
  var phones = 50

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.reporting.phones = phones
  }
}
