/// One customer in twenty ever reports a price.
///
/// The evidence is thin: in most storefronts nobody reports a product, or one person does.
struct Sparse: Phenomenon {
  /// So many of a thousand phones report.
  var phones = 50

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.reporting.phones = phones
  }
}
