import Amounts
import TestSupport
import Testing

struct DecimalReadingTests {
  struct Good: Sendable {
    let digits: String
    let milli: Int64
  }

  @Test(arguments: [
    Good(digits: "9.99", milli: 9_990),
    Good(digits: "0.99", milli: 990),
    Good(digits: "120", milli: 120_000),
    Good(digits: "1.250", milli: 1_250),
    Good(digits: "0.001", milli: 1),
    Good(digits: "4.9900000", milli: 4_990),
    Good(digits: "0", milli: 0),
    Good(digits: "-0", milli: 0),
    Good(digits: "-0.000", milli: 0),
    Good(digits: "1000000000", milli: 1_000_000_000_000),
  ])
  func `a price is exact from its digits`(_ example: Good) throws {
    #expect(try Milliunits(decimal: example.digits) == Milliunits(example.milli))
  }

  struct Bad: Sendable {
    let digits: String
    let error: AmountError
  }

  @Test(arguments: [
    Bad(digits: "4,99", error: .notADecimal),
    Bad(digits: "1e3", error: .hasExponent),
    Bad(digits: "1.5E3", error: .hasExponent),
    Bad(digits: "-4.99", error: .negative),
    Bad(digits: "NaN", error: .notADecimal),
    Bad(digits: "", error: .notADecimal),
    Bad(digits: "-", error: .notADecimal),
    Bad(digits: ".99", error: .notADecimal),
    Bad(digits: "9.", error: .notADecimal),
    Bad(digits: "09.99", error: .notADecimal),
    Bad(digits: "+9.99", error: .notADecimal),
    Bad(digits: "9.99 ", error: .notADecimal),
    Bad(digits: "4.9901", error: .tooPrecise),
    Bad(digits: "4.9900000000000002", error: .tooPrecise),
    Bad(digits: "1000000000.001", error: .tooLarge),
    Bad(digits: "99999999999999999999999999", error: .tooLarge),
  ])
  func `a text that is no plain decimal is refused with its reason`(_ example: Bad) {
    #expect(throws: example.error) { try Milliunits(decimal: example.digits) }
  }

  struct Noise: Sendable {
    let digits: String
    let milli: Int64?
  }

  @Test(arguments: [
    Noise(digits: "4.9900000000000002", milli: 4_990),
    Noise(digits: "4.98999999999999932498", milli: 4_990),
    Noise(digits: "9.98999977", milli: 9_990),
    Noise(digits: "0.99999999999999988898", milli: 1_000),
    Noise(digits: "4.990001", milli: 4_990),
    Noise(digits: "4.989999", milli: 4_990),
    Noise(digits: "4.9900010000001", milli: nil),
    Noise(digits: "4.9899989", milli: nil),
    Noise(digits: "4.9905", milli: nil),
  ])
  func `a binary float's noise within a millionth is taken as the nearest thousandth`(
    _ example: Noise
  ) {
    let bytes = Array(example.digits.utf8)
    let read = try? Milliunits(decimal: bytes.span, allowingFloatNoise: true)
    #expect(read == example.milli.map(Milliunits.init))
  }

  @Test func `every price survives being written and read`() throws {
    let seed: UInt64 = 4_990
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let price = Milliunits(Int64.random(in: 0...1_000_000_000_000, using: &generator))
      let text = price.text(decimals: Int.random(in: 0...3, using: &generator))
      #expect(try Milliunits(decimal: text) == price, "seed \(seed): \(text)")
    }
  }

  @Test func `no text makes the reader trap`() {
    let seed: UInt64 = 77
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789.,-+eE NaN".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      let read = try? Milliunits(decimal: bytes.span, allowingFloatNoise: true)
      #expect(read.map { $0 >= .zero && $0 <= .largestPrice } ?? true, "seed \(seed): \(bytes)")
    }
  }
}
