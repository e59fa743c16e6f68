internal import CivilTime
internal import PurchaseModel

// The content of one chain in one file is encoded as a body. It has first every distinct row, then
// every distinct renewal state, then the records in order. A record refers to its rows by runs of
// positions. So a snapshot that repeats a whole history needs only a few bytes.

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

extension Flags {
  fileprivate var hasInApp: Bool { self[4] }
  fileprivate var hasLatest: Bool { self[5] }
  fileprivate var hasRenewals: Bool { self[6] }
  /// Whether a record with these flags has any row.
  var hasRows: Bool { hasInApp || hasLatest }
}

extension ReceiptRecord {
  /// Codes a record without its rows and its file; the flags tell which of them follow.
  mutating func coded(
    by coder: inout some BodyCoder, _ seen: RecordObservations, after previous: inout RecordContext
  ) -> Flags {
    let flags = coder.flags(
      Flags(
        customer != previous.customer || isAccountToken != previous.isAccountToken,
        storefront != previous.storefront, bundle != previous.bundle, isSandbox,
        !seen.inApp.isEmpty, !seen.latest.isEmpty, !seen.renewals.isEmpty,
        indexInResponse > 0 || isProductionAssumed))
    isSandbox = flags[3]
    var step = seen.ordinal - previous.ordinal
    coder.code(&step, below: Int(Int32.max))
    previous.ordinal += step
    ordinal = coder.position(0, after: Int64(previous.ordinal))
    previous.line += Int64(step)
    var distance = Int64(source.line) - previous.line
    coder.code(&distance)
    source.line = coder.position(distance, after: previous.line)
    coder.code(&snapshotAt, after: previous.snapshotAt)
    // For an assumed production, 0 and then the index.
    if flags[7] {
      var first = isProductionAssumed ? 0 : indexInResponse
      coder.code(&first, below: previous.ordinal + 1)
      isProductionAssumed = first == 0
      if isProductionAssumed {
        coder.code(&indexInResponse, below: previous.ordinal + 1)
      } else {
        indexInResponse = first
      }
    }
    if flags[0] {
      coder.code(&customer, isMarked: &isAccountToken)
    } else {
      (customer, isAccountToken) = (previous.customer, previous.isAccountToken)
    }
    if flags[1] {
      var code = storefront ?? .blank
      coder.code(&code)
      storefront = code == .blank ? nil : code
    } else {
      storefront = previous.storefront
    }
    if flags[2] {
      var symbol = bundle?.symbol
      coder.code(&symbol)
      bundle = symbol.map(BundleID.init)
    } else {
      bundle = previous.bundle
    }
    previous = RecordContext(
      ordinal: previous.ordinal, line: Int64(source.line), snapshotAt: snapshotAt,
      customer: customer, isAccountToken: isAccountToken, storefront: storefront, bundle: bundle)
    return flags
  }
}

extension BodyCoder {
  /// Returns the sum of a position and a distance.
  ///
  /// A sum that is negative or has more than 31 bits means damaged data.
  @inline(__always)
  fileprivate mutating func position(_ distance: Int64, after base: Int64) -> Int32 {
    let (sum, isBeyond) = base.addingReportingOverflow(distance)
    return known(isBeyond || sum < 0 ? nil : Int32(exactly: sum), or: 0)
  }
}

extension BodyWriter {
  /// Writes a record, and the positions of its rows and renewal states.
  mutating func record(
    _ record: ReceiptRecord, _ seen: RecordObservations, after previous: inout RecordContext
  ) {
    var record = record
    _ = record.coded(by: &self, seen, after: &previous)
    if !seen.inApp.isEmpty { runs(of: seen.inApp) }
    if !seen.latest.isEmpty { runs(of: seen.latest) }
    if !seen.renewals.isEmpty {
      number(seen.renewals.count)
      for position in seen.renewals { number(Int(position)) }
    }
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
      var distance = Int64(positions[start]) - Int64(end)
      code(&distance)
      number(index - start - 1)
      end = Int(positions[index - 1]) + 1
    }
  }
}

extension BodyReader {
  /// Passes the position of each row of a record to `body`.
  ///
  /// The rows in `in_app` are first, then those in `latest_receipt_info`.
  @inline(__always)
  mutating func decodeRows(
    _ flags: Flags, rowCount: Int, _ body: (_ position: Int, _ rank: ObservationRank) -> Void
  ) {
    if flags.hasInApp { runs(rowCount: rowCount) { body($0, .inApp) } }
    if flags.hasLatest { runs(rowCount: rowCount) { body($0, .latest) } }
  }

  /// Passes the position of each renewal state of a record to `body`.
  @inline(__always)
  mutating func decodeRenewals(_ flags: Flags, count states: Int, _ body: (Int) -> Void) {
    guard flags.hasRenewals else { return }
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
      var distance: Int64 = 0
      code(&distance)
      let start = Int(position(distance, after: Int64(end)))
      let length = number(below: rowCount) + 1
      guard !isDamaged, start <= rowCount - length else { return giveUp() }
      for position in start..<start + length { body(position) }
      end = start + length
    }
  }
}

extension BodyWriter {
  /// Writes the content of a chain in one file: the distinct rows and renewal states, then the
  /// records.
  mutating func chainPart(_ groups: inout RowGroups, recordCount: Int, records: inout BodyWriter) {
    number(groups.rows.count)
    var rowContext = RowContext()
    for index in groups.rows.indices {
      groups.rows[index].coded(by: &self, after: &rowContext)
    }
    number(groups.renewals.count)
    var renewalBase: Int64 = 0
    for index in groups.renewals.indices {
      groups.renewals[index].coded(by: &self, after: &renewalBase)
    }
    number(recordCount)
    append(&records)
  }
}
