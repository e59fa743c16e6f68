/// A yearly plan that is also sold by the month, for twelve months at least.
struct Commitment: Sendable {
  /// The number of payments of one commitment.
  static let payments = 12

  /// The first moment at which the plan is sold by the month, in Unix milliseconds.
  var from: Int64
  /// The number of new subscribers who pay by the month, per thousand new subscribers.
  var share: Int
  /// All payments of a year together, in percent of the yearly price.
  var percent: Int64

  /// One monthly payment for a plan with a yearly price: `8.99` for 89.99.
  func instalment(of yearly: Int64, in currency: WorldCurrency) -> Int64 {
    currency.price(near: yearly * percent / 100 / Int64(Self.payments))
  }
}
