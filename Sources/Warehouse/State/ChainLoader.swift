internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel

/// Decodes the chain parts of state.db into records, rows and renewal states.
struct ChainLoader {
  private let files: LoadedFiles
  private let symbols: StoredSymbols
  private let asOf: Instant
  private var numbers: RecordNumbers
  /// Scratch: the distinct rows and renewal states of one part.
  private var rows: [PurchaseSighting] = []
  private var renewals: [RenewalSighting] = []

  init(files: LoadedFiles, symbols: StoredSymbols, asOf: Instant) {
    self.files = files
    self.symbols = symbols
    self.asOf = asOf
    numbers = RecordNumbers(counts: files.recordCounts)
  }

  /// Where one part's rows and renewal states ended up.
  private struct Chunk {
    var file: Int32
    var rows: Range<Int>
    var renewals: Range<Int>
  }

  /// Appends everything the used files say about purchases, in the order of ``StateDatabase/load``.
  mutating func load(_ db: Database, path: String, into set: inout SightingSet) throws {
    set.sightings.reserveCapacity(files.rowCount)
    let parts = try RawStatement(
      "read chains", "SELECT chain_key, file_id, body FROM chain_part ORDER BY chain_key, file_id",
      on: db)
    var key: Int64 = -1
    var chunks: [Chunk] = []
    while try parts.next() {
      let position = files.position(ofFile: parts.int64(1))
      guard position >= 0 else { continue }
      if parts.int64(0) != key {
        Self.sort(&chunks, in: &set)
        key = parts.int64(0)
      }
      let (firstRow, firstRenewal) = (set.sightings.count, set.renewals.count)
      let isWhole = unsafe parts.withBytes(2) { bytes in
        unsafe decode(bytes.assumingMemoryBound(to: UInt8.self), file: position, into: &set)
      }
      guard isWhole else { throw RunFailure.damaged("a chain part", path: path) }
      chunks.append(
        Chunk(
          file: position, rows: firstRow..<set.sightings.count,
          renewals: firstRenewal..<set.renewals.count))
    }
    Self.sort(&chunks, in: &set)
    numbers.sort(&set)
  }

  /// Puts a chain's parts in the order of the files' contents; they were stored by file number.
  private static func sort(_ chunks: inout [Chunk], in set: inout SightingSet) {
    defer { chunks.removeAll(keepingCapacity: true) }
    let isSorted = zip(chunks, chunks.dropFirst()).allSatisfy { $0.file < $1.file }
    guard !isSorted, let start = chunks.first else { return }
    let sorted = chunks.sorted { $0.file < $1.file }
    let rows = sorted.flatMap { set.sightings[$0.rows] }
    set.sightings.replaceSubrange(start.rows.lowerBound..., with: rows)
    let renewals = sorted.flatMap { set.renewals[$0.renewals] }
    set.renewals.replaceSubrange(start.renewals.lowerBound..., with: renewals)
  }

  /// Decodes one body; `false` when it is damaged.
  @unsafe
  private mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, file: Int32, into set: inout SightingSet
  ) -> Bool {
    guard var body = unsafe BodyReader(bytes) else { return false }
    rows.removeAll(keepingCapacity: true)
    var rowContext = RowContext()
    for _ in 0..<body.count() { rows.append(body.row(after: &rowContext, in: symbols)) }
    renewals.removeAll(keepingCapacity: true)
    var renewalBase: Int64 = 0
    for _ in 0..<body.count() { renewals.append(body.renewal(after: &renewalBase, in: symbols)) }
    var context = RecordContext()
    for _ in 0..<body.count() {
      decodeRecord(&body, after: &context, file: file, into: &set)
    }
    return !body.isDamaged && body.isAtEnd
  }

  private mutating func decodeRecord(
    _ body: inout BodyReader, after context: inout RecordContext, file: Int32,
    into set: inout SightingSet
  ) {
    var (record, flags) = body.record(after: &context, in: symbols)
    guard !body.isDamaged else { return }
    record.source.file = file
    var number: Int32?
    if record.snapshotAt <= asOf {
      number = numbers.number(of: context.ordinal, appending: record, to: &set)
      guard number != nil else { return body.giveUp() }
    }
    body.seenRows(flags, rowCount: rows.count) { position, rank in
      guard let number else { return }
      set.sightings.append(rows[position])
      set.sightings[set.sightings.count - 1].record = number
      set.sightings[set.sightings.count - 1].rank = rank
    }
    body.seenRenewals(flags, count: renewals.count) { position in
      guard let number else { return }
      var renewal = renewals[position]
      renewal.record = number
      set.renewals.append(renewal)
    }
  }
}

/// Which records have been met, so that a record with several chains becomes one record again.
private struct RecordNumbers {
  /// By file and position in the file: the record's number in the order of first sight, or -1.
  private var numbers: [[Int32]]

  init(counts: [Int]) {
    numbers = counts.map { [Int32](repeating: -1, count: $0) }
  }

  /// The number of a record, appended to the set where it is new; `nil` for an impossible place.
  mutating func number(
    of ordinal: Int, appending record: ReceiptRecord, to set: inout SightingSet
  ) -> Int32? {
    let file = Int(record.source.file)
    guard ordinal < numbers[file].count else { return nil }
    let known = numbers[file][ordinal]
    if known >= 0 { return known }
    let number = Int32(set.records.count)
    numbers[file][ordinal] = number
    set.records.append(record)
    return number
  }

  /// Puts the set's records in the order of files and places.
  func sort(_ set: inout SightingSet) {
    var order: [Int32] = []
    order.reserveCapacity(set.records.count)
    var positions = [Int32](repeating: 0, count: set.records.count)
    for file in numbers {
      for number in file where number >= 0 {
        positions[Int(number)] = Int32(order.count)
        order.append(number)
      }
    }
    set.records = order.map { set.records[Int($0)] }
    for index in set.sightings.indices {
      set.sightings[index].record = positions[Int(set.sightings[index].record)]
    }
    for index in set.renewals.indices {
      set.renewals[index].record = positions[Int(set.renewals[index].record)]
    }
  }
}
