internal import CivilTime
internal import Diagnostics
internal import Parallel
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// Encodes the content of one file as bodies: one per chain and price report.
struct FileEncoder {
  private let content: Observations
  private let firstRecord: Int
  private var writer: BodyWriter
  private var groups = RowGroups()
  /// The observations of the current chain in the current record.
  private var seen = RecordObservations(ordinal: 0)
  private var recordObservations: BodyWriter

  /// Encodes a file or a part of a file.
  static func encode(
    _ content: Observations, numbers: SymbolNumbers, into memory: SortMemory, firstRecord: Int = 0
  ) throws(RunFailure) -> EncodedFile {
    var encoder = FileEncoder(
      content: content, writer: BodyWriter(numbers: numbers), firstRecord: firstRecord)
    let chains = encoder.encodeChains()
    let reports = try encoder.encodeReports()
    return EncodedFile(
      bodies: try StoredBodies(encoder.writer.bytes, in: memory), chains: chains, reports: reports,
      receiptRecords: content.records.count, receiptRows: content.observations.count,
      newestSnapshotAt: content.records.lazy.map(\.snapshotAt).max(),
      customers: FileArrivals(content).bytes(numbers), numbers: numbers.all)
  }

  private init(content: Observations, writer: BodyWriter, firstRecord: Int) {
    self.content = content
    self.firstRecord = firstRecord
    self.writer = writer
    recordObservations = BodyWriter(numbers: writer.numbers)
  }

  /// A row, a renewal state, or a record that has neither of them.
  private struct Entry {
    var record: Int32
    /// The position of a row; for a renewal state, the number of rows plus the state's position.
    ///
    /// For a record that has neither, the number of all rows and renewal states.
    var item: Int32
  }

  private mutating func encodeChains() -> [EncodedFile.Part] {
    let (entries, chains) = groupedEntries()
    var parts: [EncodedFile.Part] = []
    parts.reserveCapacity(chains.count)
    for chain in chains {
      let offset = writer.count
      encodePart(entries[chain.entries])
      parts.append(
        EncodedFile.Part(key: chain.key, start: offset, count: writer.count - offset))
    }
    return parts
  }

  /// Groups the content by chain, sorted by key; each group is in the order of the file.
  private func groupedEntries() -> (entries: [Entry], chains: [(key: Int64, entries: Range<Int>)]) {
    var entries: [(entry: Entry, chain: Int32)] = []
    let rowCount = content.observations.count
    entries.reserveCapacity(rowCount + content.renewals.count)
    var chains = ChainNumbers()
    var (row, renewal) = (0, 0)
    func add(_ item: Int, _ record: Int, _ chain: OriginalTransactionID?) {
      let key = chain.map {
        ChainKey($0, isSandbox: content.records[record].isSandbox, in: content.symbols)
      }
      entries.append(
        (Entry(record: Int32(record), item: Int32(item)), chains.count((key ?? .none).rawValue)))
    }
    for record in content.records.indices {
      let before = entries.count
      while row < rowCount, content.observations[row].record == record {
        add(row, record, content.observations[row].originalTransactionID)
        row += 1
      }
      while renewal < content.renewals.count, content.renewals[renewal].record == record {
        add(rowCount + renewal, record, content.renewals[renewal].originalTransactionID)
        renewal += 1
      }
      if entries.count == before { add(rowCount + content.renewals.count, record, nil) }
    }
    precondition(
      row == rowCount && renewal == content.renewals.count, "rows are in the order of records")
    let (ranges, order) = chains.ranges()
    var next = ranges.map(\.lowerBound)
    var grouped = [Entry](repeating: Entry(record: 0, item: 0), count: entries.count)
    for (entry, chain) in entries {
      grouped[next[Int(chain)]] = entry
      next[Int(chain)] += 1
    }
    return (grouped, order.map { (chains.keys[$0], ranges[$0]) })
  }

  private mutating func encodePart(_ entries: ArraySlice<Entry>) {
    groups.reset(capacity: entries.count)
    recordObservations.removeAll()
    var context = RecordContext()
    var recordCount = 0
    var index = entries.startIndex
    while index < entries.endIndex {
      let record = entries[index].record
      seen.begin(ordinal: firstRecord + Int(record))
      while index < entries.endIndex, entries[index].record == record {
        note(Int(entries[index].item))
        index += 1
      }
      seen.sort()
      recordObservations.record(content.records[Int(record)], seen, after: &context)
      recordCount += 1
    }
    writer.chainPart(&groups, recordCount: recordCount, records: &recordObservations)
  }

  /// Adds a row or a renewal state to the current record.
  ///
  /// `item` is the number in ``Entry/item``; it is ignored if the record has neither a row nor a
  /// state.
  private mutating func note(_ item: Int) {
    if item < content.observations.count {
      let position = groups.position(of: content.observations[item])
      if content.observations[item].rank == .inApp {
        seen.inApp.append(position)
      } else {
        seen.latest.append(position)
      }
    } else if item < content.observations.count + content.renewals.count {
      let renewal = content.renewals[item - content.observations.count]
      seen.renewals.append(groups.position(of: renewal))
    }
  }

  /// Encodes the reports; of equal reports, keeps only the report with the lowest line number.
  private mutating func encodeReports() throws(RunFailure) -> [EncodedFile.Part] {
    var order = content.reports.indices.map { index in
      KeyedIndex(
        key: UInt64(bitPattern: content.reports[index].evidenceID), index: UInt32(index))
    }
    order.sort()
    var (parts, offers): ([EncodedFile.Part], [OfferPrice]) = ([], content.offers)
    parts.reserveCapacity(order.count)
    var start = 0
    while start < order.count {
      var report = content.reports[Int(order[start].index)]
      var end = start + 1
      while end < order.count, order[end].key == order[start].key {
        let other = content.reports[Int(order[end].index)]
        guard isEqual(report, other) else { throw .twoReports(under: report.evidenceID) }
        if other.source.line < report.source.line { report = other }
        end += 1
      }
      let offset = writer.count
      writer.code(&report.source.line)
      report.coded(by: &writer, offers: &offers)
      parts.append(
        EncodedFile.Part(
          key: report.evidenceID, start: offset, count: writer.count - offset))
      start = end
    }
    return parts
  }

  /// Returns true if two reports have equal content; their lines may differ.
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

/// The chains of a file, numbered by their first occurrence, and the entries of each chain.
private struct ChainNumbers {
  private(set) var keys: [Int64] = []
  private var counts: [Int32] = []
  private var slots = [Int32](repeating: 0, count: 1024)  // number + 1; 0 is free
  private var last: (key: Int64, number: Int32)?

  /// Adds one entry to the count of a chain; returns the number of the chain in the file.
  mutating func count(_ key: Int64) -> Int32 {
    let number = number(of: key)
    counts[Int(number)] += 1
    last = (key, number)
    return number
  }

  /// Returns the order of the chains by key, and the range of each chain's entries.
  ///
  /// The ranges follow one another in this order; they are indexed by the number of the chain.
  func ranges() -> (ranges: [Range<Int>], order: [Int]) {
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranges = [Range<Int>](repeating: 0..<0, count: keys.count)
    var start = 0
    for number in order {
      ranges[number] = start..<start + Int(counts[number])
      start += Int(counts[number])
    }
    return (ranges, order)
  }

  private mutating func number(of key: Int64) -> Int32 {
    if let last, last.key == key { return last.number }
    var slot = slot(of: key)
    while slots[slot] != 0 {
      if keys[Int(slots[slot]) - 1] == key { return slots[slot] - 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    keys.append(key)
    counts.append(0)
    slots[slot] = Int32(keys.count)
    if keys.count * 2 > slots.count { grow() }
    return Int32(keys.count - 1)
  }

  /// The first slot to try for a key; the key itself is already a hash.
  private func slot(of key: Int64) -> Int {
    Int(truncatingIfNeeded: key) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = slot(of: key)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number + 1)
    }
  }
}
