import Amounts
import Testing

struct CurrencyTests {
  @Test(arguments: [("USD", 2), ("JPY", 0), ("KWD", 3), ("KRW", 0), ("BFD", 2), ("TND", 3)])
  func `a currency knows how many decimals people write`(_ code: String, _ decimals: Int) throws {
    let currency = try #require(Currency(code))
    #expect(currency.decimals == decimals)
    #expect(currency.code == code)
  }

  @Test func `small letters name the same currency`() {
    #expect(Currency("usd") == Currency("USD"))
  }

  @Test(arguments: ["", "US", "USDX", "U$D", "123", "U D"])
  func `a text other than three letters is no currency`(_ text: String) {
    #expect(Currency(text) == nil)
  }

  @Test func `currencies sort alphabetically`() {
    let codes = ["USD", "EUR", "JPY", "AED"].compactMap { Currency($0) }.sorted().map(\.code)
    #expect(codes == ["AED", "EUR", "JPY", "USD"])
  }
}
