internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import Purchases

/// Reads the content of state.db, one work item of the plan after another.
struct PartitionReader: Sendable {
  let empty: Observations
  let files: LoadedFiles
  let symbols: StoredSymbols
  let asOf: Instant
  let plan: PartitionPlan
  let path: String
  /// The files whose records without rows are part of the result, as positions in ``files``.
  ///
  /// `nil` for all files.
  let loneFiles: Set<Int32>?
  /// Receives the price reports; if `nil`, they are part of the result.
  let onReports: (@Sendable (Observations) throws(RunFailure) -> Void)?

  func read<Partition: Sendable>(
    _ db: Database, _ make: (Int, Observations) throws(RunFailure) -> Partition
  ) throws -> ReadPartitions<Partition> {
    var read = ReadPartitions<Partition>(withRows: RecordMarks(counts: files.recordCounts))
    var decoder = ChainPartDecoder(symbols: symbols, asOf: asOf)
    let parts = try RawStatement(
      "read chains",
      """
      SELECT file_id, body, checksum, chain_key, piece FROM chain_part
      WHERE chain_key BETWEEN ?1 AND ?2
      """, on: db)
    let reports = try ReportLoader(db, files: files, symbols: symbols, asOf: asOf)
    var set = empty
    while let item = plan.nextItem() {
      switch item {
      case .chains(let number, let keys):
        set.records.removeAll(keepingCapacity: true)
        set.observations.removeAll(keepingCapacity: true)
        set.renewals.removeAll(keepingCapacity: true)
        for range in keys {
          parts.bind(range.lowerBound, at: 1)
          parts.bind(range.upperBound, at: 2)
          try load(parts, with: &decoder, into: &set, &read)
        }
        read.partitions.append((number, try make(number, set)))
      case .reports(let number, let ids):
        var loaded = empty
        for range in ids { try reports.load(path: path, ids: range, into: &loaded) }
        if let onReports {
          try onReports(loaded)
        } else {
          read.reports.append((number, loaded.reports, loaded.offers))
        }
      }
    }
    return read
  }

  private func load<Partition>(
    _ parts: RawStatement, with decoder: inout ChainPartDecoder, into set: inout Observations,
    _ read: inout ReadPartitions<Partition>
  ) throws {
    while try parts.next() {
      let position = files.position(ofFile: parts.int64(0))
      guard position >= 0 else { continue }
      let keys = RowChecksum(parts.int64(3), parts.int64(0), parts.int64(4))
      let isWhole = unsafe parts.withBytes(1) { bytes in
        guard unsafe keys.with(bytes) == parts.int64(2) else { return false }
        return unsafe decoder.decode(
          bytes.assumingMemoryBound(to: UInt8.self), file: position, into: &set
        ) { record, ordinal, hasRows, set in
          guard let place = read.withRows.place(of: ordinal, in: position) else { return nil }
          read.newestSnapshot = max(read.newestSnapshot ?? record.snapshotAt, record.snapshotAt)
          if hasRows {
            read.withRows.mark(place)
          } else if let storefront = record.storefront, !record.isSandbox,
            loneFiles?.contains(position) ?? true
          {
            read.recordsWithoutRows.append(
              (
                place,
                StorefrontObservation(
                  observedAt: record.snapshotAt, storefront: storefront,
                  customer: record.customer, originalTransactionID: nil)
              ))
          }
          set.records.append(record)
          return Int32(set.records.count - 1)
        }
      }
      guard isWhole else { throw RunFailure.damaged("a chain part", path: path) }
    }
  }
}
