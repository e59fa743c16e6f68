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
    guard record.snapshotAt <= asOf else {
      return decodeLater(record, flags, context.ordinal, &body, into: &set, number: number)
    }
    guard let assigned = number(record, context.ordinal, flags.hasRows, &set) else {
      return body.giveUp()
    }
    body.decodeRows(flags, rowCount: rows.count) { position, rank in
      set.observations.append(rows[position])
      set.observations[set.observations.count - 1].record = assigned
      set.observations[set.observations.count - 1].rank = rank
    }
    body.decodeRenewals(flags, count: renewals.count) { position in
      var renewal = renewals[position]
      renewal.record = assigned
      set.renewals.append(renewal)
    }
  }

  /// Decodes a record with a snapshot after the as-of time; only a service's rows are used.
  private func decodeLater(
    _ later: ReceiptRecord, _ flags: Flags, _ ordinal: Int, _ body: inout BodyReader,
    into set: inout Observations,
    number: (ReceiptRecord, _ ordinal: Int, _ hasRows: Bool, inout Observations) -> Int32?
  ) {
    var stated: [TransactionObservation] = []
    body.decodeRows(flags, rowCount: rows.count) { position, rank in
      var row = rows[position]
      row.rank = rank
      if row.isStated(at: asOf) { stated.append(row) }
    }
    body.decodeRenewals(flags, count: renewals.count) { _ in }
    guard !body.isDamaged, !stated.isEmpty else { return }
    var record = later
    record.snapshotAt = asOf
    guard let assigned = number(record, ordinal, flags.hasRows, &set) else { return body.giveUp() }
    for var row in stated {
      row.record = assigned
      set.observations.append(row)
    }
  }
}

extension TransactionObservation {
  /// Removes what a later state of a service's row says; false for a row that is left out.
  ///
  /// A service's row has the time of its last change, such as a refund. Its purchase was made
  /// before, and the refund has a time of its own. Of Apple's rows only the time of the snapshot is
  /// known.
  fileprivate mutating func isStated(at time: Instant) -> Bool {
    guard service != nil, purchasedAt <= time else { return false }
    if let cancelledAt, cancelledAt > time {
      self.cancelledAt = nil
      signed = nil
      let charged = service?.charged?.amount
      service?.booked = charged
    }
    return true
  }
}
