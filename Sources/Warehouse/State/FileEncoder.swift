internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Turns what one file says into bodies.
struct FileEncoder {
  private let content: SightingSet
  private var writer: BodyWriter
  private var groups = RowGroups()

  /// Encodes a file whose symbols have these numbers.
  ///
  /// - Throws: ``RunFailure`` when two different reports share an evidence id.
  static func encode(_ content: SightingSet, numbers: SymbolNumbers) throws(RunFailure)
    -> EncodedFile
  {
    var encoder = FileEncoder(content: content, writer: BodyWriter(numbers: numbers))
    let chains = encoder.encodeChains()
    let reports = try encoder.encodeReports()
    return EncodedFile(
      bytes: encoder.writer.bytes, chains: chains, reports: reports,
      receiptRecords: content.records.count, receiptRows: content.sightings.count,
      newestSnapshotAt: content.records.lazy.map(\.snapshotAt).max())
  }

  private init(content: SightingSet, writer: BodyWriter) {
    self.content = content
    self.writer = writer
  }

  /// A row, a renewal state or a lone record, and the chain it belongs to.
  private struct Entry {
    var key: Int64
    /// The record in the high half; then the item: rows, then renewal states, then nothing.
    var place: UInt64

    var record: Int { Int(place >> 32) }
    var item: Int { Int(place & 0xFFFF_FFFF) }
  }

  private mutating func encodeChains() -> [EncodedFile.Part] {
    let entries = sortedEntries()
    var parts: [EncodedFile.Part] = []
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      let offset = writer.bytes.count
      encodePart(entries[start..<end])
      parts.append(
        EncodedFile.Part(
          key: entries[start].key, start: offset, count: writer.bytes.count - offset))
      start = end
    }
    return parts
  }

  private func sortedEntries() -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(content.sightings.count + content.renewals.count)
    var hasChain = [Bool](repeating: false, count: content.records.count)
    func add(_ item: Int, record: Int32, chain: OriginalTransactionID) {
      let record = Int(record)
      hasChain[record] = true
      let key = ChainKey.of(
        chain, isSandbox: content.records[record].isSandbox, in: content.symbols)
      entries.append(Entry(key: key, place: UInt64(record) << 32 | UInt64(item)))
    }
    for index in content.sightings.indices {
      let row = content.sightings[index]
      add(index, record: row.record, chain: row.originalTransactionID)
    }
    for index in content.renewals.indices {
      let renewal = content.renewals[index]
      add(
        content.sightings.count + index, record: renewal.record,
        chain: renewal.originalTransactionID)
    }
    for record in hasChain.indices where !hasChain[record] {
      let item = content.sightings.count + content.renewals.count
      entries.append(
        Entry(key: ChainKey.noChain, place: UInt64(record) << 32 | UInt64(item)))
    }
    entries.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    return entries
  }

  private mutating func encodePart(_ entries: ArraySlice<Entry>) {
    groups.reset(capacity: entries.count)
    var seen: [SeenRecord] = []
    for entry in entries {
      if seen.last?.ordinal != entry.record { seen.append(SeenRecord(ordinal: entry.record)) }
      let last = seen.count - 1
      if entry.item < content.sightings.count {
        let row = content.sightings[entry.item]
        let position = groups.position(of: row)
        if row.rank == .inApp {
          seen[last].inApp.append(position)
        } else {
          seen[last].latest.append(position)
        }
      } else if entry.item < content.sightings.count + content.renewals.count {
        let renewal = content.renewals[entry.item - content.sightings.count]
        seen[last].renewals.append(groups.position(of: renewal))
      }
    }
    write(&seen)
  }

  private mutating func write(_ seen: inout [SeenRecord]) {
    writer.number(groups.rows.count)
    var rowContext = RowContext()
    for row in groups.rows { writer.row(row, after: &rowContext) }
    writer.number(groups.renewals.count)
    var renewalBase: Int64 = 0
    for renewal in groups.renewals { writer.renewal(renewal, after: &renewalBase) }
    writer.number(seen.count)
    var recordContext = RecordContext()
    for index in seen.indices {
      seen[index].inApp.sort()
      seen[index].latest.sort()
      let record = content.records[seen[index].ordinal]
      writer.record(record, seen[index], after: &recordContext)
    }
  }

  /// Equal reports of the file become one, at the smallest line.
  private mutating func encodeReports() throws(RunFailure) -> [EncodedFile.Part] {
    let order = content.reports.indices.sorted {
      let (left, right) = (content.reports[$0], content.reports[$1])
      return (left.evidenceID, left.source.line, $0) < (right.evidenceID, right.source.line, $1)
    }
    var parts: [EncodedFile.Part] = []
    var first: PriceReport?
    for index in order {
      let report = content.reports[index]
      if let first, first.evidenceID == report.evidenceID {
        guard isEqual(first, report) else { throw .twoReports(under: report.evidenceID) }
        continue
      }
      first = report
      let start = writer.bytes.count
      writer.report(report, offers: content.offers)
      parts.append(
        EncodedFile.Part(
          key: report.evidenceID, start: start, count: writer.bytes.count - start))
    }
    return parts
  }

  /// Whether two reports say the same, wherever they stand.
  private func isEqual(_ left: PriceReport, _ right: PriceReport) -> Bool {
    guard content.offers[left.offers].elementsEqual(content.offers[right.offers]) else {
      return false
    }
    var moved = right
    moved.source = left.source
    moved.offers = left.offers
    return moved == left
  }
}
