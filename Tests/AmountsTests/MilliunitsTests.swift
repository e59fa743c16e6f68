import Amounts
import TestSupport
import Testing

struct MilliunitsTests {
  @Test func `a difference of two prices may be negative`() throws {
    // 4.99 - 9.99 = -5.00
    #expect(try Milliunits(4_990).subtracting(Milliunits(9_990)) == Milliunits(-5_000))
  }

  @Test func `a sum that does not fit is an error and never wraps`() {
    #expect(throws: AmountError.overflow) {
      try Milliunits(.max).adding(Milliunits(1))
    }
    #expect(throws: AmountError.overflow) { try Milliunits(.max).multiplied(by: 2) }
    #expect(throws: AmountError.overflow) { try Milliunits(.min).negated() }
  }

  struct Share: Sendable {
    let story: String
    let amount: Int64
    let numerator: Int64
    let denominator: Int64
    let expected: Int64
  }

  @Test(arguments: [
    Share(
      story: "half of 9.99 is 4.995", amount: 9_990, numerator: 1, denominator: 2,
      expected: 4_995),
    Share(
      story: "2.5 thousandths round to the even 2", amount: 5, numerator: 1, denominator: 2,
      expected: 2),
    Share(
      story: "7.5 thousandths round to the even 8", amount: 15, numerator: 1, denominator: 2,
      expected: 8),
    Share(
      story: "a third of 10.00 is 3.333", amount: 10_000, numerator: 1, denominator: 3,
      expected: 3_333),
    Share(
      story: "two thirds of 10.00 round up to 6.667", amount: 10_000, numerator: 2,
      denominator: 3, expected: 6_667),
    Share(
      story: "a negative amount keeps its sign", amount: -10_000, numerator: 2, denominator: 3,
      expected: -6_667),
    Share(
      story: "the product may exceed 64 bits", amount: 1_000_000_000_000,
      numerator: 30_000_000_000, denominator: 60_000_000_000, expected: 500_000_000_000),
  ])
  func `a share is rounded half to even`(_ example: Share) throws {
    let share = try Milliunits(example.amount).share(example.numerator, of: example.denominator)
    #expect(share == Milliunits(example.expected), "\(example.story)")
  }

  @Test func `a share and its rest add up to the whole`() throws {
    let seed: UInt64 = 20_210_809
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let amount = Milliunits(Int64.random(in: 0...1_000_000_000_000, using: &generator))
      let denominator = Int64.random(in: 1...40_000_000_000, using: &generator)
      let numerator = Int64.random(in: 0...denominator, using: &generator)
      let part = try amount.share(numerator, of: denominator)
      let rest = try amount.subtracting(part)
      #expect(part >= .zero && rest >= .zero, "seed \(seed): \(amount) \(numerator)/\(denominator)")
      #expect(try part.adding(rest) == amount, "seed \(seed)")
    }
  }

  struct Text: Sendable {
    let amount: Int64
    let currency: String
    let expected: String
  }

  @Test(arguments: [
    Text(amount: 9_990, currency: "USD", expected: "9.99 USD"),
    Text(amount: 120_000, currency: "JPY", expected: "120 JPY"),
    Text(amount: 1_250, currency: "KWD", expected: "1.250 KWD"),
    Text(amount: 0, currency: "USD", expected: "0.00 USD"),
    Text(amount: -4_990, currency: "EUR", expected: "-4.99 EUR"),
    Text(amount: 4_995, currency: "USD", expected: "4.995 USD"),
    Text(amount: 500, currency: "JPY", expected: "0.5 JPY"),
  ])
  func `an amount is written with its currency's decimals and never rounded`(_ example: Text) throws
  {
    let currency = try #require(Currency(example.currency))
    #expect(Milliunits(example.amount).text(in: currency) == example.expected)
  }
}
