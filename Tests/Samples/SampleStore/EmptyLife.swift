/// Selects the customers who open the app and view prices without buying.
extension SampleOptions {
  /// Whether a customer buys nothing; depends only on the seed and the customer's number.
  func hasBoughtNothing(_ index: Int) -> Bool {
    guard boughtNothingPerMille > 0 else { return false }
    var random = SampleRandom(seed: seed, stream: 1 << 42 | UInt64(index))
    return random.happens(perMille: boughtNothingPerMille)
  }
}

extension CustomerLife {
  /// Simulates a customer without a purchase: adds responses without rows, and price reports.
  mutating func liveWithoutPurchase() -> SampleCustomer {
    if random.happens(perMille: 55) { customer.id = "" }
    customer.isSandbox = random.happens(perMille: 8)
    let first = moment(onDay: random.below(plan.days * 9 / 10))
    for _ in 0..<random.within(1...5) {
      upload(at: first + Int64(random.below(Int(plan.end - first) / 1000)) * 1000)
    }
    for _ in 0..<random.weighted([40, 30, 20, 10]) {
      let product = SampleProduct.allCases[random.below(SampleProduct.allCases.count)]
      let moment = first + Int64(random.below(Int(plan.end - first) / 1000)) * 1000
      visitPaywall(of: product, at: moment)
    }
    return customer
  }
}
