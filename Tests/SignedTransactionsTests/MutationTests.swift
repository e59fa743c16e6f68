internal import Foundation
internal import ReceiptSigning
internal import SignedTransactions
internal import TestSupport
internal import Testing

/// Random changes of tokens and records.
///
/// Each is refused or read correctly, and none ends the process.
struct MutationTests {
  /// The number of rounds with 2,000 changed texts each: 100,000 texts with `PAIDLINE_LONG=1`.
  static let rounds: UInt64 =
    ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1" ? 50 : 1

  private static let fragments: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", ".", "..", "=", "-", "_", "eyJ", "null", "1e9",
      "253402300800000", "99999999999999999999", "\\u0000", "\\uD800", "\u{0}", "\"alg\":\"none\",",
      "\"x5c\":[],", "\"signedDate\":253402300800000,", "\"price\":-1,", "[[[[[[[[",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80]]

  private static func changed(_ text: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: bytes.removeSubrange(index..<end)
      case 3:
        let fragment = fragments[Int.random(in: 0..<fragments.count, using: &generator)]
        bytes.insert(contentsOf: fragment, at: index)
      default: bytes.insert(contentsOf: bytes[index..<end], at: index)
      }
    }
    return bytes
  }

  /// The part that is changed.
  private enum Place: CaseIterable {
    case certificate, header, payload, record
  }

  /// Changes a certificate inside a header, the header inside a token, the payload, or the record.
  private static func forged(_ place: Place, _ generator: inout SeededGenerator) throws -> [UInt8] {
    let signer = try Sample.signer.get()
    let payload = Sample.payload()
    switch place {
    case .certificate:
      var certificates = signer.certificates
      let index = Int.random(in: 0..<2, using: &generator)
      certificates[index] = changed(certificates[index], &generator)
      return Array(
        try signer.sign(payload, header: signer.header(certificates: certificates)).utf8)
    case .header:
      let header = changed(Array(signer.header().utf8), &generator)
      return Array(try signer.sign(payload, header: String(decoding: header, as: UTF8.self)).utf8)
    case .payload:
      // The changed payload is signed. Apple could sign it, but never does.
      let odd = changed(Array(payload.utf8), &generator)
      return Array(try signer.sign(String(decoding: odd, as: UTF8.self)).utf8)
    case .record:
      let record = #"{"customer_id":"c-1","signedTransactions":["\#(try Sample.token())"]}"#
      return changed(Array(record.utf8), &generator)
    }
  }

  @Test(arguments: [UInt64](1...MutationTests.rounds))
  func `no changed text ends the process, and none is believed that was not signed`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    var reader = try Sample.reader()
    let genuine = try reader.transaction(Sample.token())
    var refused = 0
    for _ in 0..<2000 {
      let place = Place.allCases.randomElement(using: &generator) ?? .record
      let text = try Self.forged(place, &generator)
      guard let record = try? reader.read(text.span) else {
        refused += 1
        continue
      }
      for finding in record.findings {
        guard case .success(let content) = finding.content else {
          refused += 1
          continue
        }
        // If the payload was changed before signing, its signature is valid for any content.
        guard place != .payload, finding.proofLevel == .verified else { continue }
        #expect(content == .transaction(genuine))
      }
    }
    #expect(refused > 1000)
    // The reader still reads a valid token.
    #expect(try reader.transaction(Sample.token()) == genuine)
  }
}
