import PurchaseModel
import TestSupport
import Testing

struct SymbolTableTests {
  @Test func `a text has one symbol however often it comes`() {
    var table = SymbolTable()
    let first = table.intern("pro.monthly")
    let other = table.intern("pro.yearly")
    #expect(table.intern("pro.monthly") == first)
    #expect(first != other)
    #expect(table.text(other) == "pro.yearly")
    #expect(table.symbol("pro.weekly") == nil)
    #expect(table.symbol("pro.yearly") == other)
  }

  @Test func `the empty text is a text`() {
    var table = SymbolTable()
    let empty = table.intern("")
    #expect(table.text(empty) == "")
    #expect(table.symbol("") == empty)
  }

  @Test func `sorting orders symbols as the bytes of their texts`() {
    let seed: UInt64 = 99
    var generator = SeededGenerator(seed: seed)
    var table = SymbolTable()
    var texts: [Symbol: String] = [:]
    for _ in 0..<5_000 {
      let text = String(UInt64.random(in: 0...20_000, using: &generator), radix: 36)
      texts[table.intern(text)] = text
    }
    let (sorted, ranks) = table.sorted()
    #expect(sorted.count == table.count)
    for (old, text) in texts {
      #expect(sorted.text(ranks[Int(old.rawValue)]) == text, "seed \(seed)")
    }
    let inOrder = (0..<sorted.count).map { sorted.text(Symbol(rawValue: UInt32($0))) }
    #expect(inOrder == inOrder.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
  }
}

struct AppleNumberTests {
  @Test(arguments: ["0", "1000000831360853", "999999999999999999"])
  func `a canonical number is kept by value`(_ text: String) {
    var symbols = SymbolTable()
    let id = AppleNumber(text, symbols: &symbols)
    #expect(id.symbol == nil)
    #expect(symbols.count == 0)
    #expect(id.text(in: symbols) == text)
  }

  @Test(arguments: ["", "0012", "GPA.1234", "12345678901234567890", "1 2", "-5"])
  func `any other id is kept as its text`(_ text: String) {
    var symbols = SymbolTable()
    let id = AppleNumber(text, symbols: &symbols)
    #expect(id.symbol != nil)
    #expect(id.text(in: symbols) == text)
    #expect(AppleNumber(known: text, in: symbols) == id)
  }
}

struct StorefrontTests {
  @Test(arguments: [
    ("USA", "USA"), ("us", "USA"), ("DE", "DEU"), ("xk", "XKS"), ("XKX", "XKS"), ("prk", "PRK"),
  ])
  func `two and three letters name one storefront`(_ text: String, _ code: String) throws {
    #expect(try #require(Storefront(text)).code == code)
  }

  @Test(arguments: ["", "ZZ", "U", "USAA", "12", "U1A", "nan", "nil", "EUR", "ZZZ"])
  func `a text that names no country is no storefront`(_ text: String) {
    #expect(Storefront(text) == nil)
  }
}
