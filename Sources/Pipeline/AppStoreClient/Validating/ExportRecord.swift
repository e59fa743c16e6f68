internal import CivilTime
internal import ExportReading

/// The record of a receipt export that a response becomes.
enum ExportRecord {
  /// The number of runs with status 21002 after which a receipt is treated as malformed.
  static let malformedRunsMax = 3

  /// The line of an export, as `paidline-ingest` reads it.
  ///
  /// The record holds the values of the raw record, Apple's response unchanged, and its time of
  /// receipt: as in the raw record, else the moment of the response.
  ///
  /// - Parameters:
  ///   - receipt: The raw receipt.
  ///   - response: The response as one line of JSON.
  ///   - answeredAt: The moment of the response.
  /// - Returns: The JSON text with a newline.
  static func line(_ receipt: RawReceipt, response: [UInt8], answeredAt: Instant)
    -> [UInt8]
  {
    var line = Array("{".utf8)
    if !receipt.hasReceivedAt {
      line += Array("\"received_at\":\"\(answeredAt.text)\",".utf8)
    }
    if !receipt.context.isEmpty { line += receipt.context + Array(",".utf8) }
    line += Array("\"response\":".utf8) + response + Array("}\n".utf8)
    return line
  }
}
