internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The words that tell why a record is unusable, and what its owner can do.
extension RecordReader {
  /// Adds the likely format of the file to its first reject, if no record was usable.
  ///
  /// - Parameters:
  ///   - header: The first line of a text that may be a table without a known column.
  mutating func explainFirstReject(_ explanation: String, header: TableShape?) {
    guard let first = rejects.first else { return }
    var detail = "\(first.detail); \(explanation)"
    if let header, let wanted = neededColumn {
      detail += "; read as a table, it has no value at \(wanted)"
      line = first.line
      previews.noteReject(line: line, header.columns.map { FieldPath.text(of: $0) })
    }
    rejects[0] = Reject(line: first.line, reason: first.reason, detail: detail)
  }

  /// The column that every row of a table needs, as a text for messages: its name and paths.
  ///
  /// This is the column with the product, or with Apple's data. `nil` if the pipeline states no
  /// path to Apple's data.
  private var neededColumn: String? {
    kind == .prices
      ? layout?.layout.pathText(of: .product) : finder?.layout.content?.paths
  }

  /// Joins a finding and its advice; without advice, returns only the finding.
  private static func detail(_ finding: String, _ advice: String?) -> String {
    [finding, advice].compactMap(\.self).joined(separator: "; ")
  }

  /// The advice on a table of receipts without a column for Apple's response; `nil` if the pipeline
  /// states a path to the response.
  private var adviceOnTable: String? {
    guard let cells, finder?.unfound == nil, !cells.shape.columns.contains("response") else {
      return nil
    }
    return "a table needs a column with Apple's response as JSON: call it response, or name it "
      + "under keys in its entry (Docs/inputs.md)"
  }

  /// Prefixes a finding with the pipeline's paths to Apple's data if no path has a value.
  private func addingUnfoundPaths(_ finding: String) -> String {
    finder?.unfound.map { "no value at \($0), \(finding)" } ?? finding
  }

  /// Rejects a record, and tells why.
  mutating func reject(_ fault: JSONFault, of record: JSONCursor) {
    if kind == .prices || finder != nil { noteReject(of: record) }
    let isReceipt = keepsRejects && kind == .prices && cells == nil
    let advice = isReceipt ? UnknownRecord.adviceOnReceipt(in: record) : nil
    reject(
      fault.reason,
      detail: keepsRejects ? Self.detail(describe(fault, of: record), advice) : "")
    if limits.reportsAllFaults, isOwnForm, cells == nil, advice == nil {
      keepFurtherFaults(of: record, besides: fault)
    }
  }

  /// Rejects a record of signed transactions, and tells why.
  mutating func reject(_ fault: SignedRecordFault, of record: JSONCursor) {
    if finder != nil { noteReject(of: record) }
    let advice: String? =
      switch fault.reason {
      case .wrongType:
        cells?.adviceOnEncoded(in: record) ?? UnknownRecord.adviceOnEncoded(in: record, finder)
          ?? UnknownRecord.adviceOnReceipt(in: record, finder)
      case .invalidJSON: adviceOnText(record)
      default: nil
      }
    reject(fault.reason, detail: Self.detail(addingUnfoundPaths(fault.detail), advice))
  }

  /// Shows the operator the paths in one of the first rejected records.
  private mutating func noteReject(of record: JSONCursor) {
    if previews.notesRejects { previews.noteReject(line: line, paths(in: record)) }
  }

  /// The advice on a record with a text that is not JSON.
  private func adviceOnText(_ record: JSONCursor) -> String? {
    advice(on: record) { DoubledBackslashes.advice(on: $0) ?? PythonText.advice(on: $0) }
  }

  /// The first advice on a record, or on its found values.
  private func advice(on record: JSONCursor, _ advice: (JSONCursor) -> String?) -> String? {
    guard let finder, finder.isFound else { return advice(record) }
    return finder.text.read { text in
      for value in finder.values.compactMap(\.self) {
        let own = unsafe PaddedText(text.bytes(value.range).span).read { advice($0) }
        if let own { return own }
      }
      return nil
    }
  }

  private func describe(_ fault: JSONFault, of record: JSONCursor) -> String {
    switch fault.reason {
    case .notAnObject: "the record is \(kindOfValue(record)), not a JSON object"
    case .notAReceipt where draft.status != nil:
      "a status, but neither a receipt nor a transaction under Apple's names"
    case .notAReceipt:
      Self.detail(
        addingUnfoundPaths("neither a response, nor a status, nor a transaction"),
        cells?.adviceOnEncoded(in: record) ?? UnknownRecord.advice(on: record, finder)
          ?? adviceOnTable)
    case .noUsableRow where draft.hasMisplacedRows:
      "its rows are under a key that Apple does not use: write them as latest_receipt_info"
    case .noUsableRow:
      Self.detail(
        draft.unusableRows == 1
          ? "its only row cannot be used" : "not one of its \(draft.unusableRows) rows can be used",
        advice(on: record, UnknownRecord.adviceOnRows))
    case .tableQuoteOpen, .tableRowUneven: fault.key
    case .futureSnapshot: RejectReason.futureDetail(draft.futureSnapshotAt?.text ?? "")
    case .nestedTooDeep:
      "nested deeper than \(JSONCursor.deepestLevel) levels at byte \(fault.offset)"
    case .duplicateKey where cells?.repeated != nil: fault.key
    case .duplicateKey: "\(fault.key) occurs twice, the second time at byte \(fault.offset)"
    case .invalidJSON, .invalidUTF8:
      if !fault.key.isEmpty {
        Self.detail(
          "at byte \(fault.offset) of the text in \(fault.key)"
            + (fault.isCutOff ? ", where it is cut off" : ""),
          adviceOnText(record) ?? UnknownRecord.advice(onTextIn: record, finder))
      } else if fault.offset >= record.end {
        "at byte \(fault.offset), where it is cut off"
      } else {
        Self.detail("at byte \(fault.offset)", adviceOnText(record))
      }
    case let reason where reason.rawValue.hasPrefix("status_"): "status \(draft.status ?? 0)"
    default: fault.key.isEmpty ? "at byte \(fault.offset)" : fault.key
    }
  }

  private func kindOfValue(_ record: JSONCursor) -> String {
    switch record.byte(at: 0) {
    case Byte.quote: "a text"
    case Byte.openBracket: "a list"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "true or false"
    case UInt8(ascii: "n"): "null"
    default: "a number"
    }
  }
}
