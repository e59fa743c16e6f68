internal import Diagnostics
internal import PurchaseModel

/// Reads a response whose keys are those of the record: columns of a table, or members beside the
/// receipt.
extension RecordReader {
  /// Reads a JSON record that is the response itself, or one of Apple's rows.
  mutating func readResponseItself(_ record: JSONCursor) throws(JSONFault) {
    var cursor = record
    var bank = FieldBank<ReceiptKey>()
    try readResponse(&cursor, bank: &bank, depth: .record, level: 1)
    try readBareRow(record, under: "", level: 1)
  }

  /// Reads the parts of a response that a record has beside its customer and its time.
  ///
  /// Example: a table with the columns `status`, `receipt` and `latest_receipt_info`. If the
  /// pipeline names `receipt` as the response, the lists beside it are read too; but not beside a
  /// response that has rows of `latest_receipt_info` itself.
  mutating func readParts(
    of found: RecordFinder, _ text: JSONCursor, beside response: RecordFinder.Value?,
    since start: StagingMark
  ) throws(JSONFault) {
    let first = found.layout.firstPart
    guard found.values[first..<first + RecordLayout.lists + 1].contains(where: { $0 != nil }),
      response == nil
        || !set.observations[start.observations...].contains(where: { $0.rank == .latest })
    else { return }
    var bank = FieldBank<ReceiptKey>()
    for (part, (key, _)) in RecordLayout.parts.enumerated() {
      guard let value = found.values[first + part] else { continue }
      let name = found.layout.names[first + part]
      _ = bank.note(key)
      switch key {
      case .status where response != nil, .receipt where response != nil: continue
      case .status: bank.store(try value.scalar(in: text, name), for: key)
      default:
        guard !value.isText || text.byte(at: value.range.lowerBound) == Byte.quote else {
          notePlainText(value, in: text, of: key, name)
          continue
        }
        try value.read(in: text, name) { cursor throws(JSONFault) in
          var ahead = cursor
          let keys: Set = ["latest_receipt_info", "receipt", "status"]
          // The column has the whole response, and those beside it are taken from it.
          if key == .receipt, !value.isText, (try? ahead.hasKey(of: keys)) ?? false {
            return try readResponse(under: name, depth: .response, &cursor, level: 2)
          }
          try readPart(key, &cursor, bank: &bank, depth: .response, level: 1)
        }
      }
    }
    do {
      try copyScalars(bank, text, depth: .response)
    } catch {
      throw asJSONFault(error, names: receiptTables.response)
    }
  }

  /// Records a list that is text other than JSON as a fault, unless the text means that there is
  /// none; the text of a receipt is the encoded receipt.
  private mutating func notePlainText(
    _ value: RecordFinder.Value, in text: JSONCursor, of key: ReceiptKey, _ name: String
  ) {
    let shown = text.text(of: value.scalar).lowercased()
    guard key != .receipt, !["null", "none", "nan", "nil"].contains(shown) else { return }
    let list: StaticString
    switch key {
    case .latestReceiptInfo: list = "latest_receipt_info"
    case .latestExpiredReceiptInfo: list = "latest_expired_receipt_info"
    default: list = "pending_renewal_info"
    }
    if key != .pendingRenewalInfo { draft.unusableRows += 1 }
    notePartFault(list: list, index: nil)
  }
}
