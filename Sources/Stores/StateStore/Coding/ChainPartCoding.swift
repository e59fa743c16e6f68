internal import CivilTime
internal import PurchaseModel

// The content of one chain in one file is encoded as a body. It has first every distinct row, then
// every distinct renewal state, then the records in order. A record refers to its rows by runs of
// positions. So a snapshot that repeats a whole history needs only a few bytes.

private struct RecordFlags {
  static let newCustomer: UInt8 = 1
  static let newStorefront: UInt8 = 2
  static let newBundle: UInt8 = 4
  static let isSandbox: UInt8 = 8
  static let hasInApp: UInt8 = 16
  static let hasLatest: UInt8 = 32
  static let hasRenewals: UInt8 = 64
  /// The index in the response follows; for an assumed production, 0 and then the index.
  static let hasIndexInResponse: UInt8 = 128
}

/// The rows and renewal states of one chain in one record, as positions.
///
/// Equal rows of several records are stored once, and equal renewal states too. A position refers
/// to the list of these distinct rows or renewal states.
struct RecordObservations {
  /// The position of the record in the file.
  var ordinal: Int
  /// The positions of the rows in `in_app`, ascending.
  var inApp: [Int32] = []
  /// The positions of the rows in `latest_receipt_info`, ascending.
  var latest: [Int32] = []
  /// The positions of the renewal states, in the order of the file.
  var renewals: [Int32] = []

  mutating func begin(ordinal: Int) {
    self.ordinal = ordinal
    inApp.removeAll(keepingCapacity: true)
    latest.removeAll(keepingCapacity: true)
    renewals.removeAll(keepingCapacity: true)
  }

  /// Sorts the positions of the rows in each of the two lists; usually they are already sorted.
  mutating func sort() {
    Self.sort(&inApp)
    Self.sort(&latest)
  }

  private static func sort(_ positions: inout [Int32]) {
    for index in positions.indices.dropFirst() where positions[index] < positions[index - 1] {
      positions.sort()
      return
    }
  }
}

/// The fields of the previous record; the next record is written as differences from them.
struct RecordContext {
  var ordinal = 0
  var line: Int64 = 0
  var snapshotAt = Instant.epoch
  var customer: CustomerID?
  var isAccountToken = false
  var storefront: Storefront?
  var bundle: BundleID?
}

/// The bit for a customer id that the app set as `appAccountToken`.
private let accountTokenMark: UInt64 = 1 << 32

extension BodyWriter {
  mutating func record(
    _ record: ReceiptRecord, _ seen: RecordObservations, after previous: inout RecordContext
  ) {
    var flags: UInt8 = record.isSandbox ? RecordFlags.isSandbox : 0
    if record.customer != previous.customer || record.isAccountToken != previous.isAccountToken {
      flags |= RecordFlags.newCustomer
    }
    if record.storefront != previous.storefront { flags |= RecordFlags.newStorefront }
    if record.bundle != previous.bundle { flags |= RecordFlags.newBundle }
    if !seen.inApp.isEmpty { flags |= RecordFlags.hasInApp }
    if !seen.latest.isEmpty { flags |= RecordFlags.hasLatest }
    if !seen.renewals.isEmpty { flags |= RecordFlags.hasRenewals }
    let hasIndex = record.indexInResponse > 0 || record.isProductionAssumed
    if hasIndex { flags |= RecordFlags.hasIndexInResponse }
    byte(flags)
    let step = seen.ordinal - previous.ordinal
    number(step)
    signed(Int64(record.source.line) - previous.line - Int64(step))
    time(record.snapshotAt, after: previous.snapshotAt)
    if record.isProductionAssumed { number(0) }
    if hasIndex { number(Int(record.indexInResponse)) }
    if flags & RecordFlags.newCustomer != 0 {
      customer(record.customer, mark: record.isAccountToken ? accountTokenMark : 0)
    }
    if flags & RecordFlags.newStorefront != 0 {
      number(UInt64(record.storefront?.rawValue ?? 0))
    }
    if flags & RecordFlags.newBundle != 0 {
      number(record.bundle.map { UInt64(numbers.other($0.symbol)) } ?? 0)
    }
    if !seen.inApp.isEmpty { runs(of: seen.inApp) }
    if !seen.latest.isEmpty { runs(of: seen.latest) }
    if !seen.renewals.isEmpty {
      number(seen.renewals.count)
      for position in seen.renewals { number(Int(position)) }
    }
    previous = RecordContext(
      ordinal: seen.ordinal, line: Int64(record.source.line), snapshotAt: record.snapshotAt,
      customer: record.customer, isAccountToken: record.isAccountToken,
      storefront: record.storefront, bundle: record.bundle)
  }

  /// Writes ascending positions as runs: the number of runs, then start and length of each run.
  ///
  /// Example: 0, 1, 2, 5 → the runs 0 to 2 and 5 to 5.
  private mutating func runs(of positions: [Int32]) {
    var runs = 1
    for index in positions.indices.dropFirst() where positions[index] != positions[index - 1] + 1 {
      runs += 1
    }
    number(runs)
    var end = 0
    var index = 0
    while index < positions.count {
      let start = index
      index += 1
      while index < positions.count, positions[index] == positions[index - 1] + 1 { index += 1 }
      signed(Int64(positions[start]) - Int64(end))
      number(index - start - 1)
      end = Int(positions[index - 1]) + 1
    }
  }
}

extension BodyReader {
  /// Reads a record without its rows.
  ///
  /// The record's source has only the line; the caller sets the file.
  mutating func record(after previous: inout RecordContext, in symbols: StoredSymbols)
    -> (record: ReceiptRecord, flags: UInt8)
  {
    let flags = byte()
    let step = number(below: Int(Int32.max))
    previous.ordinal += step
    previous.line = position(signed(), after: previous.line + Int64(step))
    previous.snapshotAt = time(after: previous.snapshotAt)
    let hasIndex = flags & RecordFlags.hasIndexInResponse != 0
    var indexInResponse = hasIndex ? number(below: previous.ordinal + 1) : 0
    let isProductionAssumed = hasIndex && indexInResponse == 0
    if isProductionAssumed { indexInResponse = number(below: previous.ordinal + 1) }
    if flags & RecordFlags.newCustomer != 0 {
      (previous.customer, previous.isAccountToken) = customer(in: symbols, mark: accountTokenMark)
    }
    if flags & RecordFlags.newStorefront != 0 {
      let code = self.code()
      previous.storefront = code == 0 ? nil : Storefront(rawValue: code)
    }
    if flags & RecordFlags.newBundle != 0 {
      previous.bundle = optionalSymbol(in: symbols).map(BundleID.init)
    }
    var record = ReceiptRecord(
      source: SourceLine(file: 0, line: Int32(previous.line)),
      ordinal: Int32(position(0, after: Int64(previous.ordinal))), snapshotAt: previous.snapshotAt,
      customer: previous.customer,
      storefront: previous.storefront, bundle: previous.bundle,
      isSandbox: flags & RecordFlags.isSandbox != 0)
    record.isAccountToken = previous.isAccountToken
    record.isProductionAssumed = isProductionAssumed
    record.indexInResponse = Int32(position(0, after: Int64(indexInResponse)))
    return (record, flags)
  }

  /// Returns true if a record with these flags has any row.
  static func hasRows(_ flags: UInt8) -> Bool {
    flags & (RecordFlags.hasInApp | RecordFlags.hasLatest) != 0
  }

  /// Passes the position of each row of a record to `body`.
  ///
  /// The rows in `in_app` are first, then those in `latest_receipt_info`.
  @inline(__always)
  mutating func decodeRows(
    _ flags: UInt8, rowCount: Int, _ body: (_ position: Int, _ rank: ObservationRank) -> Void
  ) {
    if flags & RecordFlags.hasInApp != 0 { runs(rowCount: rowCount) { body($0, .inApp) } }
    if flags & RecordFlags.hasLatest != 0 { runs(rowCount: rowCount) { body($0, .latest) } }
  }

  /// Passes the position of each renewal state of a record to `body`.
  @inline(__always)
  mutating func decodeRenewals(_ flags: UInt8, count states: Int, _ body: (Int) -> Void) {
    guard flags & RecordFlags.hasRenewals != 0 else { return }
    for _ in 0..<count() {
      let position = number(below: states)
      if isDamaged { return }
      body(position)
    }
  }

  @inline(__always)
  private mutating func runs(rowCount: Int, _ body: (Int) -> Void) {
    var end = 0
    for _ in 0..<count() {
      let start = Int(position(signed(), after: Int64(end)))
      let length = number(below: rowCount) + 1
      guard !isDamaged, start <= rowCount - length else { return giveUp() }
      for position in start..<start + length { body(position) }
      end = start + length
    }
  }

  private mutating func optionalSymbol(in symbols: StoredSymbols) -> Symbol? {
    let number = number()
    guard number != 0 else { return nil }
    guard let symbol = symbols[number] else {
      giveUp()
      return nil
    }
    return symbol
  }
}

extension BodyWriter {
  /// Writes the content of a chain in one file: the distinct rows and renewal states, then the
  /// records.
  mutating func chainPart(_ groups: borrowing RowGroups, recordCount: Int, records: BodyWriter) {
    number(groups.rows.count)
    var rowContext = RowContext()
    for row in groups.rows { self.row(row, after: &rowContext) }
    number(groups.renewals.count)
    var renewalBase: Int64 = 0
    for renewal in groups.renewals { self.renewal(renewal, after: &renewalBase) }
    number(recordCount)
    append(records)
  }
}
