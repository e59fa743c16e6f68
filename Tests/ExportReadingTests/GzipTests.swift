internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

struct GzipTests {
  static let packed = gzip(smallExport)

  private func refusal(_ bytes: [UInt8], buffer: Int = 4096, name: String = "a.gz") -> String {
    do {
      let content = try readExport(
        bytes: bytes, name: name, kind: .receipts, limits: limits(buffer: buffer))
      return "read \(content.tally.records)"
    } catch ExportError.refused(let refusal, let hash, let count) {
      // A refused file is hashed to its end, so that it can be recorded and recognised later.
      let whole = try? readExport(bytes: bytes, name: "a.txt", kind: .prices)
      if let whole, whole.bytes == count { #expect(whole.sha256 == hash) }
      #expect(count == Int64(bytes.count))
      return refusal.code
    } catch {
      return "\(error)"
    }
  }

  @Test func `gzip cut off at any byte contributes nothing`() {
    for count in 0..<Self.packed.count {
      for buffer in [16, 4096] {
        let cut = Array(Self.packed[..<count])
        let expected = count == 0 ? "empty" : count == 1 ? "not_gzip" : "truncated"
        #expect(refusal(cut, buffer: buffer) == expected, "cut to \(count) bytes")
      }
    }
  }

  @Test func `gzip with any bit turned over contributes nothing, or what it did`() throws {
    let whole = try readExport(bytes: Self.packed, name: "a.gz", kind: .receipts)
    var harmless: [Int] = []
    for index in Self.packed.indices {
      for bit in 0..<8 {
        var bytes = Self.packed
        bytes[index] ^= 1 << UInt8(bit)
        guard let content = try? readExport(bytes: bytes, name: "a.gz", kind: .receipts) else {
          continue
        }
        #expect(content.summary == whole.summary, "byte \(index), bit \(bit)")
        harmless.append(index)
      }
    }
    // Bit 0 of the flags means "probably text"; bytes 4…9 are time, level and system. After the
    // header, the content stays equal only if padding bits change, or references to an equal text.
    #expect(Set(harmless).isSuperset(of: [4, 5, 6, 7, 8, 9]))
    #expect(Set(harmless.filter { $0 > 9 }).count < Self.packed.count / 50)
  }

  @Test(
    arguments: [
      ("two members", gzip(sound("1") + "\n") + gzip(sound("2")), "read 2"),
      ("a member that begins inside a line", gzip("{\"sta") + gzip("tus\":0}"), "read 1"),
      ("an empty member between", gzip(sound("1")) + gzip("") + gzip("\n" + sound("2")), "read 2"),
      ("an empty member alone", gzip(""), "read 0"),
      ("zero bytes behind", gzip(sound()) + [UInt8](repeating: 0, count: 64), "read 1"),
      ("garbage behind", gzip(sound()) + Array("garbage".utf8), "trailing_garbage"),
      ("a newline behind", gzip(sound()) + [10], "trailing_garbage"),
      ("garbage behind zero bytes", gzip(sound()) + [0, 0, 1], "trailing_garbage"),
      ("a member behind zero bytes", gzip(sound()) + [0] + gzip(sound("2")), "trailing_garbage"),
      ("half a header behind", gzip(sound()) + [0x1F, 0x8B, 8], "truncated"),
      ("a wrong header behind", gzip(sound()) + [0x1F, 0x8C, 8, 0], "trailing_garbage"),
      ("bytes of no kind", [0, 1, 2, 3], "not_gzip"),
      ("an unknown method", [0x1F, 0x8B, 7, 0, 0, 0, 0, 0, 0, 3, 3, 0], "damaged"),
      ("nothing", [], "empty"),
    ] as [(String, [UInt8], String)])
  func `a file named gz is gzip and nothing else`(
    story: String, bytes: [UInt8], expected: String
  ) {
    for buffer in [16, 17, 50, 4096] {
      #expect(refusal(bytes, buffer: buffer) == expected, "\(story), buffer of \(buffer)")
    }
  }

  @Test func `the checksum and the length are told apart`() {
    var checksum = Self.packed
    checksum[checksum.count - 8] ^= 1
    #expect(refusal(checksum) == "bad_checksum")
    var length = Self.packed
    length[length.count - 1] ^= 1
    #expect(refusal(length) == "bad_length")
  }

  /// Each header is longer than the ten required bytes.
  @Test(
    arguments: [
      ("a field and a name", 0x0C, [2, 0, 7, 7] + Array("r.ndjson".utf8) + [0], "read 7"),
      ("a comment", 0x10, Array("weekly".utf8) + [0], "read 7"),
      ("a header checksum", 0x02, nil, "read 7"),
      ("another header checksum", 0x02, [1, 2], "damaged"),
    ] as [(String, UInt8, [UInt8]?, String)])
  func `a header may say more, and its checksum counts`(
    story: String, flags: UInt8, more: [UInt8]?, expected: String
  ) {
    var header = Array(Self.packed[..<10])
    header[3] = flags
    let checksum = reflectedCRC32(header)
    header += more ?? [UInt8(checksum & 0xFF), UInt8(checksum >> 8 & 0xFF)]
    for buffer in [16, 17, 4096] {
      let bytes = header + Self.packed[10...]
      #expect(refusal(bytes, buffer: buffer) == expected, "\(story), buffer of \(buffer)")
      // The data after such a header are checked as usual.
      var wrong = bytes
      wrong[wrong.count - 8] ^= 1
      let code = expected == "damaged" ? expected : "bad_checksum"
      #expect(refusal(wrong, buffer: buffer) == code, "\(story), buffer of \(buffer)")
    }
  }

  @Test func `checksums are those of the standard, for any length and in any portions`() {
    // CRC-32 of the standard check input, from the catalogue of CRCs.
    #expect(reflectedCRC32(Array("123456789".utf8)) == 0xCBF4_3926)
    let bytes = (0..<700).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 >> 3) }
    for count in bytes.indices {
      let expected = reflectedCRC32(Array(bytes[..<count]))
      let portions = [0, count / 3, min(count, 64), max(0, count - 65)]
      for cut in portions where cut < count {
        let head = checksum(Array(bytes[..<cut]))
        let whole = checksum(Array(bytes[cut..<count]), after: head)
        #expect(whole == expected, "\(count) bytes cut at \(cut)")
      }
    }
  }

  /// CRC-32 computed bit by bit, as RFC 1952 defines it.
  private func reflectedCRC32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
    }
  }

  @Test func `the second member's damage takes the first one's rows away too`() {
    var second = gzip(sound("2"))
    second[second.count - 6] ^= 8
    #expect(refusal(gzip(sound("1")) + second) == "bad_checksum")
  }

  @Test func `gzip is known by its bytes, not by its name`() throws {
    let content = try readExport(bytes: Self.packed, name: "-", kind: .receipts)
    #expect(content.tally.records == 7)
    #expect(refusal(Array("x".utf8), name: "plain") == "read 1")
    #expect(refusal([], name: "plain") == "read 0")
  }

  @Test func `offsets name the byte`() throws {
    let first = gzip(sound())
    #expect(throws: ExportError.self) {
      try readExport(bytes: first + [7], name: "a.gz", kind: .receipts)
    }
    do {
      _ = try readExport(bytes: first + [7], name: "a.gz", kind: .receipts)
    } catch ExportError.refused(let refusal, _, _) {
      #expect(refusal == .trailingGarbage(offset: Int64(first.count)))
      #expect(
        refusal.description == "after the gzip data, other data begin at byte \(first.count)")
    }
  }

  @Test func `a bomb is refused when it passes both caps`() {
    // Two million spaces are compressed to about two thousand bytes: a thousand to one.
    let bomb = gzip([UInt8](repeating: 0x20, count: 2_000_000), level: 9)
    var caps = ExportLimits()
    caps.freelyInflated = 500_000
    caps.inflation = 100
    #expect {
      try readExport(bytes: bomb, name: "a.gz", kind: .receipts, limits: caps)
    } throws: { error in
      guard case .refused(.inflatesTooFar, _, _)? = error as? ExportError else { return false }
      return true
    }
    caps.inflation = 5000
    #expect(throws: Never.self) {
      try readExport(bytes: bomb, name: "a.gz", kind: .receipts, limits: caps)
    }
  }

  @Test func `members cut anywhere say the same as one`() throws {
    let text = Array(smallExport.utf8)
    let whole = try readExport(bytes: text, name: "a", kind: .receipts)
    for cut in stride(from: 0, through: text.count, by: 7) {
      let members = gzip(Array(text[..<cut])) + gzip(Array(text[cut...]))
      for buffer in [16, 100] {
        let content = try readExport(
          bytes: members, name: "a.gz", kind: .receipts, limits: limits(buffer: buffer))
        #expect(content.summary == whole.summary, "cut at \(cut), buffer of \(buffer)")
      }
    }
  }

  @Test func `a plain text named gz is read`() throws {
    let content = try readExport(bytes: Array(sound().utf8), name: "a.gz", kind: .receipts)
    #expect(content.ids == ["1001"])
  }

  @Test func `a text named gz is judged by its first 512 bytes, whatever the buffer`() {
    func text(control place: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: UInt8(ascii: " "), count: 600) + Array(sound().utf8)
      bytes[place] = 0x7F
      return bytes
    }
    for buffer in [1, 16, 100, 511, 512, 513, 4096] {
      #expect(refusal(text(control: 511), buffer: buffer) == "not_gzip", "buffer of \(buffer)")
      #expect(refusal(text(control: 512), buffer: buffer) == "read 1", "buffer of \(buffer)")
    }
  }
}

extension ExportRefusal {
  /// The reason as a stable word.
  fileprivate var code: String {
    switch self {
    case .empty: "empty"
    case .notGzip: "not_gzip"
    case .truncated: "truncated"
    case .damaged: "damaged"
    case .badChecksum: "bad_checksum"
    case .badLength: "bad_length"
    case .trailingGarbage: "trailing_garbage"
    case .inflatesTooFar: "inflates_too_far"
    case .brokenArray: "broken_array"
    }
  }
}
