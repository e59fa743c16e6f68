internal import CivilTime
internal import ExportReading

/// Creates export records from Apple's responses.
enum ExportRecord {
  /// The number of runs with status 21002 after which a receipt is treated as malformed.
  static let malformedRunsMax = 3

  /// Creates the line of an export, in the format that `paidline-ingest` reads.
  ///
  /// The record contains the values of the raw record, and Apple's response unchanged.
  /// `received_at` is the time in the raw record, else the time of the response.
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
