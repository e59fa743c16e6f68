public import CivilTime
public import ExportReading

/// The record of a receipt export that an answer becomes.
public enum ExportRecord {
  /// How many runs may get 21002 before a receipt is taken to be malformed.
  public static let malformedRunsMax = 3

  /// The line of an export, as `paidline-ingest` reads it.
  ///
  /// The record tells what the raw record told, the answer as Apple gave it, and when it was
  /// received: as the raw record says, else at the moment of the answer.
  ///
  /// - Parameters:
  ///   - receipt: The raw receipt.
  ///   - response: The answer as one line of JSON.
  ///   - answeredAt: The moment of the answer.
  /// - Returns: The JSON text with a newline.
  public static func line(_ receipt: RawReceipt, response: [UInt8], answeredAt: Instant)
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
