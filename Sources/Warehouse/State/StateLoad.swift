public import CivilTime
public import Diagnostics
internal import GRDB
public import PurchaseModel

extension StateDatabase {
  /// Everything the used files say, in an order that follows from their contents alone.
  ///
  /// Symbols are sorted; texts that only unused content names may be among them. Files stand by
  /// hash, then kind; records by file and line; rows and renewal states by chain, file and record;
  /// reports by evidence id, each once, at its smallest place.
  ///
  /// - Parameters:
  ///   - asOf: leaves out receipt records and price reports later than this moment; `nil` leaves
  ///     out none.
  ///   - extraTexts: texts that the symbols must hold although no file names them: a catalogue's.
  /// - Returns: the whole input of a reconstruction.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged.
  public func load(asOf: Instant? = nil, extraTexts: [String] = []) throws(RunFailure)
    -> SightingSet
  {
    try file.read { db in
      var loader = try StateLoader(
        db, path: file.path, asOf: asOf ?? Instant(milliseconds: .max), extraTexts: extraTexts)
      try loader.loadChains(db)
      try loader.loadReports(db)
      return loader.finished()
    }
  }
}

/// Decodes state.db into a sighting set.
private struct StateLoader {
  private let path: String
  private let asOf: Instant
  private let stored: StoredSymbols
  /// By file number: the file's position in the set; -1 for files that are not used.
  private var ranks: [Int32] = []
  private var set = SightingSet()
  private var records = RecordNumbers()
  /// Scratch: the distinct rows and renewal states of one part.
  private var rows: [PurchaseSighting] = []
  private var renewals: [RenewalSighting] = []

  init(_ db: Database, path: String, asOf: Instant, extraTexts: [String]) throws {
    self.path = path
    self.asOf = asOf
    (set.symbols, stored) = try Self.loadSymbols(db, extraTexts: extraTexts)
    for file in try StateDatabase.files(on: db) where file.status == .used {
      while ranks.count <= Int(file.id) { ranks.append(-1) }
      ranks[Int(file.id)] = Int32(set.files.count)
      set.files.append(
        InputFile(id: file.id, name: file.name, sha256: file.sha256, kind: file.kind))
    }
    let counts = try RawStatement(
      "count records", "SELECT file_id, receipt_records FROM input_file WHERE status = 'used'",
      on: db)
    records = RecordNumbers(files: set.files.count)
    while try counts.next() {
      records.reserve(Int(counts.int64(1)), inFile: Int(ranks[Int(counts.int64(0))]))
    }
  }

  private static func loadSymbols(_ db: Database, extraTexts: [String]) throws
    -> (SymbolTable, StoredSymbols)
  {
    var table = SymbolTable()
    var extra = extraTexts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }[...]
    var stored = StoredSymbols()
    let texts = try RawStatement(
      "read symbols", "SELECT symbol_id, text FROM symbol ORDER BY text", on: db)
    while try texts.next() {
      // SQLite's default order is that of the bytes too, so the extra texts fall into place.
      unsafe texts.withBytes(1) { bytes in
        while let next = extra.first, unsafe next.lexicographicallyPrecedes(bytes) {
          _ = table.intern(next.span)
          extra.removeFirst()
        }
      }
      let symbol = texts.withSpan(1) { table.intern($0) }
      stored.set(Int(texts.int64(0)), to: symbol)
    }
    for text in extra { _ = table.intern(text.span) }
    return (table, stored)
  }

  // MARK: Chains

  /// Where one part's rows and renewal states ended up.
  private struct Chunk {
    var rank: Int32
    var rows: Range<Int>
    var renewals: Range<Int>
  }

  mutating func loadChains(_ db: Database) throws {
    let parts = try RawStatement(
      "read chains", "SELECT chain_key, file_id, body FROM chain_part ORDER BY chain_key, file_id",
      on: db)
    var key: Int64 = -1
    var chunks: [Chunk] = []
    while try parts.next() {
      let rank = rank(ofFile: parts.int64(1))
      guard rank >= 0 else { continue }
      if parts.int64(0) != key {
        sort(&chunks)
        key = parts.int64(0)
      }
      let (rowStart, renewalStart) = (set.sightings.count, set.renewals.count)
      try unsafe parts.withBytes(2) { bytes in
        try unsafe decode(bytes.assumingMemoryBound(to: UInt8.self), rank: rank)
      }
      chunks.append(
        Chunk(
          rank: rank, rows: rowStart..<set.sightings.count,
          renewals: renewalStart..<set.renewals.count))
    }
    sort(&chunks)
  }

  private func rank(ofFile id: Int64) -> Int32 {
    id < Int64(ranks.count) ? ranks[Int(id)] : -1
  }

  /// Puts a chain's parts in the order of the files' contents; they were stored by file number.
  private mutating func sort(_ chunks: inout [Chunk]) {
    defer { chunks.removeAll(keepingCapacity: true) }
    let isSorted = zip(chunks, chunks.dropFirst()).allSatisfy { $0.rank < $1.rank }
    guard !isSorted, let start = chunks.first else { return }
    let sorted = chunks.sorted { $0.rank < $1.rank }
    let rows = sorted.flatMap { set.sightings[$0.rows] }
    set.sightings.replaceSubrange(start.rows.lowerBound..., with: rows)
    let renewals = sorted.flatMap { set.renewals[$0.renewals] }
    set.renewals.replaceSubrange(start.renewals.lowerBound..., with: renewals)
  }

  @unsafe
  private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, rank: Int32) throws {
    guard var body = unsafe BodyReader(bytes) else { throw damaged("an empty chain part") }
    rows.removeAll(keepingCapacity: true)
    var rowContext = RowContext()
    for _ in 0..<body.count() { rows.append(body.row(after: &rowContext, in: stored)) }
    renewals.removeAll(keepingCapacity: true)
    var renewalBase: Int64 = 0
    for _ in 0..<body.count() {
      renewals.append(body.renewal(after: &renewalBase, in: stored))
    }
    var context = RecordContext()
    for _ in 0..<body.count() {
      decodeRecord(&body, after: &context, rank: rank)
    }
    guard !body.isDamaged, body.isAtEnd else { throw damaged("a chain part") }
  }

  private mutating func decodeRecord(
    _ body: inout BodyReader, after context: inout RecordContext, rank: Int32
  ) {
    var (record, flags) = body.record(after: &context, in: stored)
    record.source.file = rank
    let isLate = record.snapshotAt > asOf
    let number =
      isLate || body.isDamaged
      ? 0 : records.number(of: context.ordinal, inFile: Int(rank), appending: record, to: &set)
    guard let number else { return body.giveUp() }
    body.seenRows(flags, rowCount: rows.count) { position, rank in
      guard !isLate else { return }
      var row = rows[position]
      row.record = number
      row.rank = rank
      set.sightings.append(row)
    }
    body.seenRenewals(flags, count: renewals.count) { position in
      guard !isLate else { return }
      var renewal = renewals[position]
      renewal.record = number
      set.renewals.append(renewal)
    }
  }

  private func damaged(_ what: String) -> RunFailure {
    RunFailure(
      .inputOutput,
      "\(path): \(what) cannot be decoded, so the file is damaged. "
        + "Remove it and rebuild it from the exports.")
  }

  // MARK: Reports

  /// One evidence id while its files are read.
  private struct Report {
    var id: Int64
    var source: SourceLine
    var content: [UInt8]
  }

  mutating func loadReports(_ db: Database) throws {
    let parts = try RawStatement(
      "read price reports",
      "SELECT evidence_id, file_id, body FROM price_report ORDER BY evidence_id, file_id", on: db)
    var current: Report?
    while try parts.next() {
      let rank = rank(ofFile: parts.int64(1))
      guard rank >= 0 else { continue }
      let id = parts.int64(0)
      let (line, content) = try unsafe parts.withBytes(2) { bytes in
        try unsafe lineAndContent(bytes.assumingMemoryBound(to: UInt8.self))
      }
      let source = SourceLine(file: rank, line: line)
      if let known = current, known.id == id {
        guard known.content == content else {
          throw RunFailure(
            .invariantBroken, "\(path): two different price reports share evidence id \(id).")
        }
        current?.source = min(known.source, source)
      } else {
        try finish(current)
        current = Report(id: id, source: source, content: content)
      }
    }
    try finish(current)
  }

  @unsafe
  private func lineAndContent(_ bytes: UnsafeBufferPointer<UInt8>) throws -> (Int32, [UInt8]) {
    guard var body = unsafe BodyReader(bytes) else { throw damaged("an empty price report") }
    let line = body.reportLine()
    return (line, unsafe Array(bytes.suffix(body.remaining)))
  }

  private mutating func finish(_ report: Report?) throws {
    guard let report else { return }
    let offerCount = set.offers.count
    let decoded: PriceReport? = unsafe report.content.withUnsafeBufferPointer { bytes in
      guard var body = unsafe BodyReader(bytes) else { return nil }
      let decoded = body.report(
        evidenceID: report.id, source: report.source, offers: &set.offers, in: stored)
      return body.isDamaged || !body.isAtEnd ? nil : decoded
    }
    guard let decoded else { throw damaged("a price report") }
    if decoded.reportedAt > asOf {
      set.offers.removeSubrange(offerCount...)
    } else {
      set.reports.append(decoded)
    }
  }

  // MARK: Order

  /// The set with its records in the order of their places.
  consuming func finished() -> SightingSet {
    let (order, numbers) = records.inOrder(count: set.records.count)
    set.records = order.map { set.records[Int($0)] }
    for index in set.sightings.indices {
      set.sightings[index].record = numbers[Int(set.sightings[index].record)]
    }
    for index in set.renewals.indices {
      set.renewals[index].record = numbers[Int(set.renewals[index].record)]
    }
    return set
  }
}

/// Which records have been met, so that a record with several chains becomes one record again.
private struct RecordNumbers {
  /// By file and position in the file: the record's number in the order of first sight, or -1.
  private var numbers: [[Int32]] = []

  init(files: Int = 0) {
    numbers = [[Int32]](repeating: [], count: files)
  }

  mutating func reserve(_ records: Int, inFile file: Int) {
    numbers[file] = [Int32](repeating: -1, count: records)
  }

  /// The number of a record, appended to the set where it is new; `nil` for an impossible place.
  mutating func number(
    of ordinal: Int, inFile file: Int, appending record: ReceiptRecord, to set: inout SightingSet
  ) -> Int32? {
    guard ordinal < numbers[file].count else { return nil }
    let known = numbers[file][ordinal]
    if known >= 0 { return known }
    let number = Int32(set.records.count)
    numbers[file][ordinal] = number
    set.records.append(record)
    return number
  }

  /// The numbers in the order of files and places, and each number's position in that order.
  func inOrder(count: Int) -> (order: [Int32], positions: [Int32]) {
    var order: [Int32] = []
    order.reserveCapacity(count)
    var positions = [Int32](repeating: 0, count: count)
    for file in numbers {
      for number in file where number >= 0 {
        positions[Int(number)] = Int32(order.count)
        order.append(number)
      }
    }
    return (order, positions)
  }
}
