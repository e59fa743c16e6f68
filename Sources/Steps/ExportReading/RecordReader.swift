internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Converts the records of one file to observations and price reports.
///
/// An invalid byte rejects the whole record, including the rows before that byte. An unusable row
/// is left out; the other rows of its record are used.
struct RecordReader {
  let kind: InputFile.Kind
  let limits: ExportLimits
  let receiptTables: ReceiptTables
  /// Whether a price file has Paidline's own form, which is read strictly.
  let isOwnForm: Bool
  /// The reader that finds price reports by the paths of a layout.
  var layout: LayoutReader?
  /// The rewriter of records to the standard names; `nil` if records already have these names.
  var rewriter: RecordRewriter?
  /// The format of a hosted service's export; `nil` for other files.
  let export: ServiceExport?
  /// The columns of the current table; `nil` if the text is not a table.
  var cells: TableCells?
  /// The records shown to the operator, each with its values or with its paths.
  ///
  /// Contains up to three rejected records, with the paths to all their values. For a preview, also
  /// contains each record that is read by a price layout, with its values.
  var previews: [PreviewedRecord] = []
  /// The paths to the values of the first record; recorded only for a preview.
  var paths: [String] = []
  /// The paths of all records; recorded only with ``ExportLimits/notesShapes``.
  var shapes = RecordShapes()
  /// The number of rejected records whose paths are recorded.
  private var notedRejects = 0
  /// The pipeline's paths to Apple's data, if the current record has no value at any path; else
  /// `nil`.
  var unfound: String?
  var fields = FieldReader()
  var set = Observations()
  var tally = RecordTally()
  var rejects: [Reject] = []
  var notices = ExportNotices()
  /// The line on which the current record begins; 1-based.
  var line = 0
  /// The values of the current record other than its rows.
  var draft = ResponseDraft()
  /// The unusable rows of the current record, one entry per reason.
  var rowFaults: [RowFault] = []
  /// The number of unusable rows of the current record.
  var rejectedRows = 0
  /// The number of the current record's `in_app` rows that repeat a row of `latest_receipt_info`.
  var repeatedRows = 0
  /// The symbols of the previous row's fields.
  var hints = RowHints()
  /// The buffer for JSON text inside strings, reused for every record.
  var innerText = PaddedText()
  private var knownRecords = DigestSet()
  /// The digests of the records with status 21007 so far.
  ///
  /// ``ExportNotices/sandboxReceipts`` includes the repetitions of such a record.
  private var knownTestReceipts = DigestSet()
  var knownReports = ReportIndex()
  var evidence = EvidenceHasher()
  /// Whether the owner's server verified the unsigned payloads of the file.
  let trustsCharges: Bool
  /// The reader for a file of signed transactions; `nil` for other files.
  var signedReader: (any SignedRecordStaging)?

  init(kind: InputFile.Kind, limits: ExportLimits, fieldMapping: FieldMapping) {
    self.kind = kind
    self.limits = limits
    receiptTables = fieldMapping.receipts
    fields.largestNumber = fieldMapping.priceUnit.largestNumber
    let stated = fieldMapping.layout(of: kind)
    isOwnForm = kind == .prices && stated == nil
    layout = (stated ?? fieldMapping.ownLayout).map {
      LayoutReader($0, recordsSources: limits.reportsAllFaults)
    }
    if stated == nil { layout?.unit = fieldMapping.priceUnit }
    if let layout = stated {
      fields.largestNumber = layout.unit.largestNumber
      fields.hasDecimalComma = layout.hasDecimalComma
      fields.zone = layout.zone
    }
    export = kind == .exports ? fieldMapping.export : nil
    if kind != .prices, let records = fieldMapping.recordLayout {
      fields.hasDecimalComma = records.hasDecimalComma
      fields.zone = records.zone
    }
    // The times of a service's format are UTC, as the service documents them.
    fields.countsLocalTimes = kind != .exports && layout?.layout.format == nil
    rewriter = kind == .prices ? nil : fieldMapping.recordLayout.map(RecordRewriter.init)
    trustsCharges = fieldMapping.isTrusted
    if kind == .signed { signedReader = fieldMapping.signed?.makeReader() }
  }

  /// Reads one record; the text must not begin or end with blanks.
  ///
  /// The bytes must be in a buffer with the padding of ``JSONCursor``.
  mutating func read(_ cursor: JSONCursor, line: Int) {
    if let decoded = cursor.textInQuotes() {
      return decoded.read { inner in read(inner, line: line) }
    }
    if limits.reportsAllFaults, paths.isEmpty { paths = FoundPaths.all(in: cursor) }
    if rewriter != nil, cells == nil {
      return withRewritten(cursor) { reader, cursor in reader.readNamed(cursor, line: line) }
    }
    readNamed(cursor, line: line)
  }

  /// Reads a record that has the standard names, or the row of a table.
  mutating func readNamed(_ cursor: JSONCursor, line: Int) {
    self.line = line
    if limits.notesShapes { shapes.note(cells?.paths(in: cursor) ?? FoundPaths.all(in: cursor)) }
    let digest = RecordDigest(of: cursor)
    guard !knownRecords.contains(digest) else {
      tally.duplicates += 1
      if knownTestReceipts.contains(digest) { notices.sandboxReceipts += 1 }
      return
    }
    let mark = StagingMark(set: set)
    if kind == .signed {
      readSigned(cursor, digest: digest, since: mark)
      return
    }
    let whole = cursor
    var cursor = cursor
    (repeatedRows, rejectedRows) = (0, 0)
    let testReceipts = notices.sandboxReceipts
    do {
      let isNew: Bool
      if kind == .prices, let cells {
        isNew = try readLayoutRow(cells, cursor)
      } else {
        isNew = try readWhole(&cursor)
      }
      knownRecords.insert(digest)
      if notices.sandboxReceipts > testReceipts { knownTestReceipts.insert(digest) }
      if isNew { tally.used += 1 } else { tally.duplicates += 1 }
      tally.rows.used +=
        set.observations.count - mark.observations + set.renewals.count - mark.renewals
      tally.rows.duplicates += repeatedRows
      reportRowFaults()
    } catch {
      // A renewal state without a row is not a purchase.
      if error.reason == .noUsableRow { rejectedRows += set.renewals.count - mark.renewals }
      mark.restore(&set)
      if kind == .prices, notesPaths { note(cells?.paths(in: whole) ?? FoundPaths.all(in: whole)) }
      let isReceipt = keepsRejects && kind == .prices && cells == nil
      let advice = isReceipt ? UnknownRecord.adviceOnReceipt(in: whole) : nil
      reject(
        error.reason,
        detail: keepsRejects ? Self.detail(describe(error, of: whole), advice) : "")
      if limits.reportsAllFaults, isOwnForm, cells == nil, advice == nil {
        keepFurtherFaults(of: whole, besides: error)
      }
      if error.reason == .noUsableRow { reportRowFaults() }
    }
    rowFaults.removeAll(keepingCapacity: true)
  }

  /// Reads a record of signed transactions; leaves out faulty tokens.
  private mutating func readSigned(
    _ cursor: JSONCursor, digest: RecordDigest, since mark: StagingMark
  ) {
    rejectedRows = 0
    do {
      try readSignedRecord(cursor)
      knownRecords.insert(digest)
      tally.used += 1
      tally.rows.used +=
        set.observations.count - mark.observations + set.renewals.count - mark.renewals
    } catch {
      mark.restore(&set)
      tally.tokens.rejected += 1
      let advice: String? =
        switch error.reason {
        case .wrongType: UnknownRecord.adviceOnReceipt(in: cursor)
        case .invalidJSON:
          DoubledBackslashes.advice(on: cursor) ?? PythonText.advice(on: cursor)
        default: nil
        }
      reject(error.reason, detail: Self.detail(addingUnfoundPaths(error.detail), advice))
    }
    reportRowFaults()
    rowFaults.removeAll(keepingCapacity: true)
  }

  /// Whether the key paths of the next rejected record are noted; true for the first three.
  var notesPaths: Bool { notedRejects < 3 }

  /// Adds the current record, which is rejected, to the previews, with the key paths in the record.
  mutating func note(_ paths: [String]) {
    notedRejects += 1
    previews.append(PreviewedRecord(line: line, rejectedWith: paths))
  }

  /// Removes the content of ``set`` and returns it, with the table of its symbols.
  mutating func removeStaged() -> Observations {
    countImpossible()
    var staged = Observations()
    swap(&staged, &set)
    staged.symbols = fields.symbols
    return staged
  }

  /// Adds to ``notices`` the number of items in ``set`` with an impossible price.
  ///
  /// Examples: 500.5 JPY; 9.99 in the unknown currency ZZZ.
  mutating func countImpossible() {
    for report in set.reports {
      let currency = report.currency
      let canBe =
        currency.isKnown && currency.allows(report.price)
        && set.offers[report.offers].allSatisfy { currency.allows($0.price) }
      if !canBe { notices.impossibleAmounts += 1 }
    }
    guard kind == .signed else { return }
    for row in set.observations {
      guard let price = row.signed?.price else { continue }
      let canBe = price.currency.isKnown && price.currency.allows(price.amount)
      if !canBe { notices.impossibleAmounts += 1 }
    }
  }

  /// Counts an unusable record, and stores its line and the reason.
  mutating func reject(_ reason: RejectReason, detail: String, at line: Int? = nil) {
    tally.rejected += 1
    if reason.isRetryable { notices.retryable += 1 }
    if reason == .status21004 { notices.wrongSharedSecret += 1 }
    keep(Reject(line: line ?? self.line, reason: reason, detail: detail))
  }

  /// Whether the next reject is stored; beyond the limit, rejects are only counted.
  private var keepsRejects: Bool { rejects.count < limits.keptRejects }

  /// Stores a reject; beyond the limit, rejects are only counted.
  mutating func keep(_ reject: Reject) {
    guard keepsRejects else {
      notices.rejectsNotKept += 1
      return
    }
    rejects.append(reject)
  }

  /// Reads a record of receipts or prices; returns false if it only repeats earlier price reports.
  private mutating func readWhole(_ cursor: inout JSONCursor) throws(JSONFault) -> Bool {
    if kind == .receipts, cursor.beginsObjectList() {
      try readBareRows(&cursor)
      return true
    }
    guard cursor.byte(at: 0) == Byte.openBrace else {
      try cursor.skipValue(level: 0)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      throw JSONFault(reason: .notAnObject, offset: 0)
    }
    switch kind {
    case .receipts:
      try readReceiptRecord(&cursor)
      return true
    case .prices:
      return try readLayoutRecord(&cursor)
    case .exports:
      try readServiceRecord(&cursor)
      return true
    case .signed, .appleReports:
      preconditionFailure("signed transactions and reports have readers of their own")
    }
  }

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
      note(header.columns.map { FieldPath.text(of: $0) })
    }
    rejects[0] = Reject(line: first.line, reason: first.reason, detail: detail)
  }

  /// The column that every row of a table needs, as a text for messages: its name and paths.
  ///
  /// This is the column with the product, or with Apple's data. `nil` if the pipeline states no
  /// path to Apple's data.
  private var neededColumn: String? {
    kind == .prices
      ? layout?.layout.pathText(of: .product) : rewriter?.neededColumn
  }

  /// Joins a finding and its advice; without advice, returns only the finding.
  private static func detail(_ finding: String, _ advice: String?) -> String {
    [finding, advice].compactMap(\.self).joined(separator: "; ")
  }

  /// The advice on a table of receipts without a column for Apple's response; `nil` if the pipeline
  /// states a path to the response.
  private var adviceOnTable: String? {
    guard let cells, unfound == nil, !cells.shape.columns.contains("response") else { return nil }
    return "a table needs a column with Apple's response as JSON: call it response, or name it "
      + "under keys in its entry (Docs/inputs.md)"
  }

  /// Prefixes a finding with the pipeline's paths to Apple's data if no path has a value.
  private func addingUnfoundPaths(_ finding: String) -> String {
    unfound.map { "no value at \($0), \(finding)" } ?? finding
  }

  private func describe(_ fault: JSONFault, of record: JSONCursor) -> String {
    switch fault.reason {
    case .notAnObject: "the record is \(kindOfValue(record)), not a JSON object"
    case .notAReceipt where draft.status != nil:
      "a status, but neither a receipt nor a transaction under Apple's names"
    case .notAReceipt:
      Self.detail(
        addingUnfoundPaths("neither a response, nor a status, nor a transaction"),
        UnknownRecord.advice(on: record) ?? adviceOnTable)
    case .noUsableRow where draft.hasMisplacedRows:
      "its rows are under a key that Apple does not use: write them as latest_receipt_info"
    case .noUsableRow:
      Self.detail(
        draft.unusableRows == 1
          ? "its only row cannot be used" : "not one of its \(draft.unusableRows) rows can be used",
        UnknownRecord.adviceOnRows(of: record))
    case .tableQuoteOpen, .tableRowUneven: fault.key
    case .futureSnapshot: RejectReason.futureDetail(draft.futureSnapshotAt?.text ?? "")
    case .nestedTooDeep:
      "nested deeper than \(JSONCursor.deepestLevel) levels at byte \(fault.offset)"
    case .duplicateKey where cells?.repeated != nil: fault.key
    case .duplicateKey: "\(fault.key) occurs twice, the second time at byte \(fault.offset)"
    case .invalidJSON, .invalidUTF8:
      if !fault.key.isEmpty {
        Self.detail(
          "at byte \(fault.offset) of the text in \(fault.key)",
          DoubledBackslashes.advice(on: record) ?? PythonText.advice(on: record)
            ?? UnknownRecord.advice(onTextIn: record))
      } else if fault.offset >= record.end {
        "at byte \(fault.offset), where it is cut off"
      } else {
        Self.detail(
          "at byte \(fault.offset)",
          DoubledBackslashes.advice(on: record) ?? PythonText.advice(on: record))
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

  private mutating func reportRowFaults() {
    tally.rows.rejected += rejectedRows
    for fault in rowFaults {
      let more = fault.count > 1 ? ", and \(fault.count - 1) more" : ""
      keep(Reject(line: line, reason: fault.reason, detail: fault.place + more))
    }
  }
}

/// The number of items of each kind in a set, before a record is read.
struct StagingMark {
  let records: Int
  let observations: Int
  let renewals: Int
  let reports: Int
  let offers: Int

  init(set: Observations) {
    records = set.records.count
    observations = set.observations.count
    renewals = set.renewals.count
    reports = set.reports.count
    offers = set.offers.count
  }

  /// Removes the items that were added to the set after this mark.
  func restore(_ set: inout Observations) {
    set.records.removeSubrange(records...)
    set.observations.removeSubrange(observations...)
    set.renewals.removeSubrange(renewals...)
    set.reports.removeSubrange(reports...)
    set.offers.removeSubrange(offers...)
  }
}
