internal import CivilTime
internal import PurchaseModel

/// Decodes the content of a chain in one file: its rows, renewal states and records.
struct ChainPartDecoder {
  private let symbols: StoredSymbols
  private let asOf: Instant
  /// The distinct rows of the current body; its records refer to them by position.
  private var rows: [TransactionObservation] = []
  private var renewals: [RenewalObservation] = []

  init(symbols: StoredSymbols, asOf: Instant) {
    self.symbols = symbols
    self.asOf = asOf
  }

  /// Decodes a body and appends its content.
  ///
  /// - Parameters:
  ///   - number: Appends a record and returns its number, or `nil` for an impossible position. It
  ///     is called only for records up to the as-of time. Its arguments are the record, the
  ///     record's position in the file, and whether the record has a row in this body.
  /// - Returns: `false` if the body is damaged.
  @unsafe
  mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, file: Int32, into set: inout Observations,
    number: (ReceiptRecord, _ ordinal: Int, _ hasRows: Bool, inout Observations) -> Int32?
  ) -> Bool {
    guard var body = unsafe BodyReader(bytes, in: symbols) else { return false }
    rows.removeAll(keepingCapacity: true)
    var rowContext = RowContext()
    for _ in 0..<body.count() {
      rows.append(.blank)
      rows[rows.count - 1].coded(by: &body, after: &rowContext)
    }
    renewals.removeAll(keepingCapacity: true)
    var renewalBase: Int64 = 0
    for _ in 0..<body.count() {
      renewals.append(.blank)
      renewals[renewals.count - 1].coded(by: &body, after: &renewalBase)
    }
    var context = RecordContext()
    for _ in 0..<body.count() {
      decodeRecord(&body, after: &context, file: file, into: &set, number: number)
    }
    return !body.isDamaged && body.isAtEnd
  }

  private func decodeRecord(
    _ body: inout BodyReader, after context: inout RecordContext, file: Int32,
    into set: inout Observations,
    number: (ReceiptRecord, _ ordinal: Int, _ hasRows: Bool, inout Observations) -> Int32?
  ) {
    var record = ReceiptRecord(
      source: SourceLine(file: file, line: 0), ordinal: 0, snapshotAt: .epoch, customer: nil,
      storefront: nil, bundle: nil, isSandbox: false)
    let flags = record.coded(by: &body, RecordObservations(ordinal: 0), after: &context)
    guard !body.isDamaged else { return }
    var assigned: Int32?
    if record.snapshotAt <= asOf {
      assigned = number(record, context.ordinal, flags.hasRows, &set)
      guard assigned != nil else { return body.giveUp() }
    }
    body.decodeRows(flags, rowCount: rows.count) { position, rank in
      guard let assigned else { return }
      set.observations.append(rows[position])
      set.observations[set.observations.count - 1].record = assigned
      set.observations[set.observations.count - 1].rank = rank
    }
    body.decodeRenewals(flags, count: renewals.count) { position in
      guard let assigned else { return }
      var renewal = renewals[position]
      renewal.record = assigned
      set.renewals.append(renewal)
    }
  }
}
