internal import Diagnostics
internal import PurchaseModel
internal import Testing

@testable internal import ExportReading

/// Texts are inspected in steps of 16 and 64 bytes.
///
/// The position of a byte within a step must not affect the result.
struct WideStepTests {
  @Test func `a string ends and is refused at the same byte wherever it begins`() throws {
    for before in 0..<34 {
      let start = String(repeating: " ", count: before)
      for length in 0..<40 {
        let text = String(repeating: "x", count: length)
        #expect(try receipts(start + #"{"status":0,"x":"\#(text)"}"#).tally.used == 1)
        for (bad, reason) in [("\u{1F}", "invalid_json"), (#"\x"#, "invalid_json")] {
          let content = try receipts(start + #"{"status":0,"x":"\#(text)\#(bad)"}"#)
          let byte = 17 + length
          #expect(content.codes == ["1 \(reason)"])
          #expect(content.rejects.first?.detail == "at byte \(byte)", "\(before), \(length)")
        }
        let bytes = Array((start + #"{"status":0,"x":"\#(text)"#).utf8) + [0xFF] + Array("\"}".utf8)
        let content = try readExport(bytes: bytes, name: "r.ndjson", kind: .receipts)
        #expect(content.codes == ["1 invalid_utf8"])
      }
    }
  }

  @Test func `a record that differs anywhere is another record`() {
    let text = (0..<333).map { UInt8(truncatingIfNeeded: 0x20 + $0 % 90) }
    var texts: Set<[UInt8]> = []
    for index in text.indices {
      for bit in UInt8(0)..<8 {
        var other = text
        other[index] ^= 1 << bit
        texts.insert(other)
      }
      texts.insert(Array(text[..<index]))
      texts.insert([UInt8](repeating: 0, count: index))
    }
    // Swaps neighboring blocks of 8, 16, 32, 64 and 128 bytes.
    for size in [8, 16, 32, 64, 128] {
      for start in stride(from: 0, to: text.count - 2 * size, by: size) {
        var other = text
        for index in start..<start + size { other.swapAt(index, index + size) }
        texts.insert(other)
      }
    }
    let digests = texts.map(digest)
    #expect(Set(digests).count == texts.count)
    #expect(Set(digests.map(\.high)).count == texts.count)
    #expect(Set(digests.map(\.low)).count == texts.count)
  }

  private func digest(of text: [UInt8]) -> RecordDigest {
    let padded = text + [UInt8](repeating: 0, count: JSONCursor.padding)
    return unsafe padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("padding is never empty") }
      return unsafe RecordDigest(of: JSONCursor(base, count: text.count))
    }
  }
}
