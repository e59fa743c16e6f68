import PurchaseModel
import TestSupport
import Testing

@testable import Warehouse

@Suite struct `The order of ids as texts` {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `is the byte order of what is written, whatever the ids look like`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var texts: Set<String> = ["0", "1", "10", "9", "999999999999999999", "1000000000000000000"]
    for _ in 0..<300 {
      let digits = Int.random(in: 1...20, using: &generator)
      var text = String(
        (0..<digits).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
      if Bool.random(using: &generator) { text = String(repeating: "1", count: 20) + text }
      if Int.random(in: 0..<5, using: &generator) == 0 { text += "-x" }
      texts.insert(text)
    }
    let sorted = texts.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    var symbols = SymbolTable()
    for text in sorted { _ = symbols.intern(text) }
    let numbers = sorted.map { text in
      var table = symbols
      return AppleNumber(text, symbols: &table)
    }
    let rising = numbers.sorted()
    let found = TextOrder.positions(of: rising, in: symbols)
      .map { rising[Int($0)].text(in: symbols) }
    #expect(found == sorted, "seed \(seed)")
  }
}
