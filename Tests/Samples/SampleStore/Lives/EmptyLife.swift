/// Selects the customers who open the app and view prices without buying.
extension SampleOptions {
  /// Whether a customer buys nothing; depends only on the seed and the customer's number.
  func hasBoughtNothing(_ index: Int) -> Bool {
    guard boughtNothingPerMille > 0 else { return false }
    var random = SampleRandom(seed: seed, stream: 1 << 42 | UInt64(index))
    return random.happens(perMille: boughtNothingPerMille)
  }
}

extension AccountLife {
  /// Simulates a customer without a purchase: adds responses without rows, and price reports.
  mutating func liveWithoutPurchase() -> Account {
    account.isSandbox = random.happens(perMille: 8)
    let first = world.start + day(random.below(world.days * 9 / 10)) + second()
    for _ in 0..<random.within(1...5) { upload(at: anyMoment(after: first)) }
    for _ in 0..<random.weighted([40, 30, 20, 10]) {
      account.prices.append(
        report(of: random.below(world.products.count), at: anyMoment(after: first)))
    }
    return account
  }
}
