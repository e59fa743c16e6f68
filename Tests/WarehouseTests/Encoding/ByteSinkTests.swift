import TestSupport
import Testing

@testable import Warehouse

/// Tests of a growing byte buffer.
@Suite struct `Bytes that grow at their end` {
  private func text(of sink: borrowing ByteSink) -> String {
    unsafe String(decoding: sink.written, as: UTF8.self)
  }

  @Test func `numbers are written in decimal`() {
    var numbers: [Int64] = [0, 9, -1, -10, .min, .min + 1, .max, .max - 1]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, power + 1, -power, 7 * (power / 10)]
    }
    var random = SeededGenerator(seed: 20)
    for bits in 1...63 {
      for _ in 0..<200 {
        numbers.append(Int64.random(in: 0...(.max >> (63 - bits)), using: &random))
      }
    }
    for number in numbers {
      var sink = ByteSink(capacity: 0)
      sink.append(UInt8(ascii: "x"))
      sink.appendDecimal(number)
      sink.append(UInt8(ascii: "y"))
      let text = text(of: sink)
      #expect(text == "x\(number)y")
    }
  }

  @Test func `texts of every length are written whole, and nothing beyond them`() {
    let source = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    for length in 0...150 {
      var sink = ByteSink(capacity: 0)
      sink.append(0)
      unsafe source[..<length].withUnsafeBytes { unsafe sink.append($0) }
      unsafe source[..<3].withUnsafeBytes { unsafe sink.append($0) }
      let written = unsafe Array(sink.written)
      #expect(written == [0] + source[..<length] + source[..<3], "\(length) bytes")
    }
  }
}
