@testable internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// Inflating ahead on a spare core changes only the timing, not the content.
struct TextAheadTests {
  /// 400 records in two gzip members of together 60 kB, one of them invalid.
  private static let text = (0..<400).map { number in
    number == 217 ? "{\"status\":" : sound("\(number)")
  }.joined(separator: "\n")
  private static let packed =
    gzip(String(text.prefix(20_001))) + gzip(String(text.dropFirst(20_001)))

  private func read(_ bytes: [UInt8], buffer: Int, spare: SpareCores?) -> String {
    do {
      let content = try readExport(
        bytes: bytes, name: "a.gz", kind: .receipts, limits: limits(buffer: buffer), spare: spare)
      return content.summary + "\(content.rejects) \(content.sha256) \(content.textBytes)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a file inflated ahead says what it says otherwise`() {
    for buffer in [1, 7, 16, 1000, 1 << 20] {
      let spare = SpareCores(1)
      let alone = read(Self.packed, buffer: buffer, spare: nil)
      #expect(read(Self.packed, buffer: buffer, spare: spare) == alone, "buffer of \(buffer)")
    }
  }

  @Test func `a damaged file is refused for the same reason at the same byte`() {
    var flipped = Self.packed
    flipped[flipped.count / 2] ^= 0x40
    var badSum = Self.packed
    badSum[badSum.count - 6] ^= 1
    let stories = [
      ("cut", Array(Self.packed.dropLast(9))), ("flipped", flipped), ("bad sum", badSum),
      ("garbage", Self.packed + [1, 2, 3]), ("padding", Self.packed + [0, 0, 0]),
      ("broken array", gzip("[" + Self.text.replacing("\n", with: ",").prefix(30_000))),
    ]
    for (story, bytes) in stories {
      for buffer in [16, 1000] {
        let alone = read(bytes, buffer: buffer, spare: nil)
        let ahead = read(bytes, buffer: buffer, spare: SpareCores(1))
        #expect(ahead == alone, "\(story), buffer of \(buffer)")
      }
    }
  }

  @Test func `a core is used by one file at a time and given back`() {
    let spare = SpareCores(1)
    let alone = read(Self.packed, buffer: 1000, spare: nil)
    // Each reading needs the core that the previous reading released. A refused file must release
    // it too.
    for _ in 0..<50 {
      _ = read(Array(Self.packed.dropLast(9)), buffer: 1000, spare: spare)
      #expect(read(Self.packed, buffer: 1000, spare: spare) == alone)
    }
    #expect(spare.take() && !spare.take(), "one core was given back")
  }

  @Test func `stopping a file that is inflated ahead ends both threads`() throws {
    let spare = SpareCores(1)
    let asked = Counter()
    #expect(throws: ExportError.cancelled) {
      try withPipe(Self.packed) {
        try readExport(
          descriptor: $0, name: "a.gz", kind: .receipts, limits: limits(buffer: 64), spare: spare,
          isCancelled: {
            asked.add(1)
            return asked.value > 20
          })
      }
    }
    #expect(spare.take() && !spare.take(), "one core was given back")
  }
}
