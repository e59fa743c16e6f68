/// One customer in twenty ever reports a price.
///
/// The evidence is thin: in most storefronts a product has one report or none.
struct Sparse: Phenomenon {
  /// So many of a thousand phones report.
  var phones = 50

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.reporting.phones = phones
  }
}
