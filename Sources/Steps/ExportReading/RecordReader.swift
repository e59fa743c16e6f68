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
  let mapping: FieldMapping
  let receiptTables: ReceiptTables
  /// The format of a hosted service's export, which every row needs; `nil` for other files.
  let export: ServiceExport?
  /// The reader that finds price reports by the paths of a layout.
  var layout: LayoutReader?
  /// Finds the values of records by the paths of a layout; `nil` if the records have the standard
  /// names.
  var finder: RecordFinder?
  /// The columns of the current table; `nil` if the text is not a table.
  var cells: TableCells?
  var previews = RecordPreviews()
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
  /// The known records with status 21007.
  ///
  /// ``ExportNotices/sandboxReceipts`` includes the repetitions of such a record.
  private var knownTestReceipts = DigestSet()
  var knownReports = ReportIndex()
  var evidence = EvidenceHasher()
  /// The reader for a file of signed transactions; `nil` for other files.
  var signedReader: (any SignedRecordStaging)?

  init(kind: InputFile.Kind, limits: ExportLimits, fieldMapping: FieldMapping) {
    self.kind = kind
    self.limits = limits
    mapping = fieldMapping
    export = fieldMapping.export
    receiptTables = fieldMapping.receipts
    fields.largestNumber = fieldMapping.priceUnit.largestNumber
    let stated = fieldMapping.layout(of: kind)
    layout = (stated ?? fieldMapping.ownLayout).map {
      LayoutReader($0, recordsSources: limits.reportsAllFaults)
    }
    if stated == nil { layout?.unit = fieldMapping.priceUnit }
    if let layout = stated {
      fields.largestNumber = layout.unit.largestNumber
      fields.hasDecimalComma = layout.hasDecimalComma
      fields.zone = layout.zone
    }
    if kind != .prices, let records = fieldMapping.recordLayout {
      fields.hasDecimalComma = records.hasDecimalComma
      fields.zone = records.zone
    }
    // The times of a service's format are UTC, as the service documents them.
    fields.countsLocalTimes = kind != .exports && layout?.layout.format == nil
    finder = kind == .prices ? nil : fieldMapping.recordLayout.map(RecordFinder.init)
    if kind == .signed { signedReader = fieldMapping.signed?.makeReader() }
  }

  /// Reads one record; the text must not begin or end with blanks.
  ///
  /// The bytes must be in a buffer with the padding of ``JSONCursor``.
  mutating func read(_ cursor: JSONCursor, line: Int) {
    if let decoded = cursor.textInQuotes() {
      return decoded.read { inner in read(inner, line: line) }
    }
    if limits.reportsAllFaults, previews.paths.isEmpty {
      previews.notePaths(in: cursor, of: kind)
    }
    finder?.find(in: cursor)
    guard !(finder?.isMap ?? false) else {
      return reject(
        .rowWithoutTransactionID,
        detail: "one object with several records; write each on a line of its own, for example "
          + "with the command that paidline init --from prints", at: line)
    }
    readNamed(cursor, line: line)
  }

  /// Whether a price file has Paidline's own form, which is read strictly.
  var isOwnForm: Bool { kind == .prices && mapping.priceLayout == nil }

  /// Whether the current record is read by the values that ``finder`` has found in it.
  var isFound: Bool { finder?.isFound ?? false }

  /// Whether the current record of JSON is read as Apple's data itself, with other values that were
  /// found in it, such as the customer.
  var isContentItself: Bool {
    kind != .exports && cells == nil && finder?.lacksContent ?? false
  }

  /// Reads a record that has the standard names, or whose values were found; also the row of a
  /// table.
  mutating func readNamed(_ cursor: JSONCursor, line: Int) {
    self.line = line
    if limits.notesShapes { previews.shapes.note(paths(in: cursor)) }
    let digest =
      finder.flatMap { $0.isFound && !isContentItself ? RecordDigest(of: $0) : nil }
      ?? RecordDigest(of: cursor)
    guard !knownRecords.contains(digest) else {
      tally.duplicates += 1
      if knownTestReceipts.contains(digest) { notices.sandboxReceipts += 1 }
      return
    }
    let mark = StagingMark(set: set)
    (repeatedRows, rejectedRows) = (0, 0)
    let testReceipts = notices.sandboxReceipts
    if kind == .signed ? readSigned(cursor, since: mark) : readUnsigned(cursor, since: mark) {
      knownRecords.insert(digest)
      if notices.sandboxReceipts > testReceipts { knownTestReceipts.insert(digest) }
    }
    rowFaults.removeAll(keepingCapacity: true)
  }

  /// The paths to the values of a record, or the columns of a table.
  func paths(in record: JSONCursor) -> [String] {
    cells?.paths(in: record) ?? FoundPaths.all(in: record, entersText: kind == .prices)
  }

  /// Reads a record of receipts, prices or a service's export; returns false if it is rejected.
  private mutating func readUnsigned(_ record: JSONCursor, since mark: StagingMark) -> Bool {
    do {
      let isNew: Bool
      if isFound {
        try readFound(in: record)
        isNew = true
      } else if kind == .prices, let cells {
        isNew = try readLayoutRow(cells, record)
      } else {
        isNew = try readObject(record)
      }
      if isNew { tally.used += 1 } else { tally.duplicates += 1 }
      countRows(since: mark)
      reportRowFaults()
      return true
    } catch {
      // A renewal state without a row is not a purchase.
      if error.reason == .noUsableRow { rejectedRows += set.renewals.count - mark.renewals }
      mark.restore(&set)
      reject(error, of: record)
      if error.reason == .noUsableRow { reportRowFaults() }
      return false
    }
  }

  /// Counts the rows and renewal states of a used record.
  mutating func countRows(since mark: StagingMark) {
    tally.rows.used +=
      set.observations.count - mark.observations + set.renewals.count - mark.renewals
    tally.rows.duplicates += repeatedRows
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
  var keepsRejects: Bool { rejects.count < limits.keptRejects }

  /// Stores a reject; beyond the limit, rejects are only counted.
  mutating func keep(_ reject: Reject) {
    guard keepsRejects else {
      notices.rejectsNotKept += 1
      return
    }
    rejects.append(reject)
  }

  /// Reads a record that has the standard names; returns false if it only repeats earlier price
  /// reports.
  private mutating func readObject(_ record: JSONCursor) throws(JSONFault) -> Bool {
    var cursor = record
    if kind == .receipts, cursor.beginsObjectList() {
      try readBareRows(&cursor)
      return true
    }
    guard kind != .exports, cursor.byte(at: 0) == Byte.openBrace else {
      let isObject = cursor.byte(at: 0) == Byte.openBrace
      try cursor.skipValue(level: 0)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      guard isObject else { throw JSONFault(reason: .notAnObject, offset: 0) }
      // None of its values is one of the service's format, or one is text that is not JSON.
      if let fault = finder?.fault { throw fault }
      try stageService(FieldBank(), cursor)
      return true
    }
    switch kind {
    case .receipts:
      try readReceiptRecord(&cursor)
      return true
    case .prices:
      return try readLayoutRecord(&cursor)
    case .signed, .appleReports, .exports:
      preconditionFailure("these records have readers of their own")
    }
  }

  mutating func reportRowFaults() {
    tally.rows.rejected += rejectedRows
    for fault in rowFaults {
      let more = fault.count > 1 ? ", and \(fault.count - 1) more" : ""
      keep(Reject(line: line, reason: fault.reason, detail: fault.place + more))
    }
  }
}
