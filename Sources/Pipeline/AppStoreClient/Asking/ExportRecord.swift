internal import CivilTime
internal import ExportReading

/// Creates records of an export from Apple's answers.
enum ExportRecord {
  /// Creates the line of an export: Apple's answer unchanged, after what is known about it.
  ///
  /// - Parameters:
  ///   - receivedAt: The time of the answer; `nil` if the context has it.
  ///   - context: Further members of the record, as JSON; empty if there are none.
  static func line(_ answer: [UInt8], receivedAt: Instant?, context: [UInt8] = []) -> [UInt8] {
    var line = Array("{".utf8)
    if let receivedAt { line += Array("\"received_at\":\"\(receivedAt.text)\",".utf8) }
    if !context.isEmpty { line += context + Array(",".utf8) }
    line += Array("\"response\":".utf8) + answer + Array("}\n".utf8)
    return line
  }

  /// Creates the line for a receipt, with the values of its raw record.
  static func line(_ receipt: RawReceipt, response: [UInt8], answeredAt: Instant) -> [UInt8] {
    line(
      response, receivedAt: receipt.hasReceivedAt ? nil : answeredAt, context: receipt.context)
  }

  /// Replaces line ends by spaces; JSON has none inside strings, so no string changes.
  static func oneLine(_ json: [UInt8]) -> [UInt8] {
    json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }
}
