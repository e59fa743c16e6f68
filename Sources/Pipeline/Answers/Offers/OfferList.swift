package import Diagnostics
internal import ExportReading
internal import Pipeline

/// A list of wanted offers, gzip or plain: one JSON object per line.
///
/// Example: `{"customer_id":"c-17","product_id":"pro.monthly","offer_id":"win50"}`.
package struct OfferList {
  private static let keys = KeyTable<OfferDraft.Field>(
    OfferDraft.Field.allCases.map { ($0.name, $0) })

  /// Reads a list; blank lines are skipped.
  ///
  /// - Parameter path: The file; `-` for standard input.
  /// - Returns: The offers, in the order of the list.
  /// - Throws: ``RunFailure`` with status 65 for an invalid line; the message names the file and
  ///   the line. No offer of the list is signed in this case.
  package static func read(_ path: String) throws(RunFailure) -> [WantedOffer] {
    var offers: [WantedOffer] = []
    try ListFile.read(path, what: "the list of offers") { number, line throws(RunFailure) in
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      switch offer(line) {
      case .success(let offer): offers.append(offer)
      case .failure(let fault):
        throw RunFailure(
          .dataRefused,
          "\(OneLine.text(path)):\(number): expected \(fault.expected); correct the "
            + "line"
        )
      }
    }
    return offers
  }

  static func offer(_ line: [UInt8]) -> Result<WantedOffer, OfferFault> {
    PaddedText(line.span).read { cursor in
      do {
        return try draft(&cursor).offer
      } catch let fault as OfferFault {
        return .failure(fault)
      } catch {
        return .failure(OfferFault("one complete JSON object"))
      }
    }
  }

  private static func draft(_ cursor: inout JSONCursor) throws -> OfferDraft {
    cursor.skipBlanks()
    guard cursor.byte(at: cursor.position) == UInt8(ascii: "{") else {
      throw OfferFault("one complete JSON object")
    }
    try cursor.enter(1)
    var draft = OfferDraft()
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let field = keys.key(name, in: cursor) else {
        throw OfferFault("no other keys than " + OfferDraft.names)
      }
      let value = try cursor.readScalar()
      switch value.kind {
      case .null: continue
      case .text, .escapedText, .integer:
        var text: [UInt8] = []
        cursor.unescape(value, into: &text)
        guard draft.take(field, String(decoding: text, as: UTF8.self)) else {
          throw OfferFault("\(field.name) once")
        }
      case .decimal, .yes, .no: throw OfferFault("\(field.name) to be a text")
      }
    }
    guard cursor.isAtEndOfText() else { throw OfferFault("one complete JSON object") }
    return draft
  }
}
