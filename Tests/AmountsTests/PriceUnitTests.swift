internal import Amounts
internal import Testing

/// The meaning of a number in each unit that an app may use.
struct PriceUnitTests {
  @Test(arguments: [
    (PriceUnit.main, "USD", 9_990, 9_990), (.minor, "USD", 999_000, 9_990),
    (.minor, "JPY", 120_000, 120_000), (.minor, "KWD", 1_490_000, 1_490),
    (.minor, "USD", 999_500, 9_995), (.thousandth, "USD", 9_990_000, 9_990),
    (.thousandth, "JPY", 120_000_000, 120_000), (.minor, "EUR", 0, 0),
  ])
  func `a number is an amount`(unit: PriceUnit, code: String, number: Int64, milli: Int64) throws {
    let currency = try #require(Currency(code))
    #expect(try unit.amount(Milliunits(number), in: currency) == Milliunits(milli))
  }

  @Test func `a price finer than thousandths is too precise`() throws {
    let dollars = try #require(Currency("USD"))
    #expect(throws: AmountError.tooPrecise) {
      try PriceUnit.minor.amount(Milliunits(999_010), in: dollars)
    }
    #expect(throws: AmountError.tooPrecise) {
      try PriceUnit.thousandth.amount(Milliunits(9_990_500), in: dollars)
    }
  }

  @Test func `the largest price is the same in every unit`() throws {
    let dollars = try #require(Currency("USD"))
    let cents = Milliunits(Milliunits.largestPrice.rawValue * 100)
    #expect(try PriceUnit.minor.amount(cents, in: dollars) == .largestPrice)
    #expect(throws: AmountError.tooLarge) {
      try PriceUnit.minor.amount(Milliunits(cents.rawValue + 100), in: dollars)
    }
    #expect(throws: AmountError.tooLarge) {
      try PriceUnit.main.amount(Milliunits(Milliunits.largestPrice.rawValue + 1), in: dollars)
    }
  }
}
