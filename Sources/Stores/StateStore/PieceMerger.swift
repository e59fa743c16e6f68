internal import Diagnostics
internal import Parallel
internal import PurchaseModel
internal import Purchases

/// Makes one encoded file of its pieces: byte for byte the same as from one piece, with any number
/// of threads.
struct PieceMerger {
  /// The number of bytes after which written bytes go to the store.
  private static let chunk = 4 << 20

  private let pieces: [EncodedFile]
  private let store: BodyStore
  private let own: StoredSymbols
  private var writer: BodyWriter
  private var seenRecords: BodyWriter
  private var groups = RowGroups()
  private var seen = SeenRecord(ordinal: 0)

  init(pieces: [EncodedFile], numbers: SymbolNumbers, symbolCount: Int, store: BodyStore) {
    self.pieces = pieces
    self.store = store
    var own = StoredSymbols()
    for symbol in 0..<UInt32(symbolCount) { own.set(Int(symbol) + 1, to: Symbol(rawValue: symbol)) }
    self.own = own
    writer = BodyWriter(numbers: numbers)
    seenRecords = BodyWriter(numbers: numbers)
  }

  /// The whole file.
  ///
  /// - Parameter workers: how many threads merge.
  /// - Returns: the bodies of all pieces, one for each key.
  /// - Throws: ``RunFailure`` when two different reports share an evidence id, or when a piece
  ///   cannot be read or the file not be kept.
  func merged(workers: Int) throws(RunFailure) -> EncodedFile {
    var bodies = StoredBodies()
    let chains = try merge(pieces.map(\.chains), workers: workers, into: &bodies) {
      merger, _, parts throws(RunFailure) in
      try merger.mergeChain(parts)
    }
    let reports = try merge(pieces.map(\.reports), workers: workers, into: &bodies) {
      merger, key, parts throws(RunFailure) in
      // Equal reports occur once in a file, so two reports under one key differ.
      guard parts.count == 1 else { throw .twoReports(under: key) }
      try merger.copyReport(key, parts[parts.startIndex])
    }
    return EncodedFile(
      bodies: bodies, chains: chains, reports: reports,
      receiptRecords: pieces.reduce(0) { $0 + $1.receiptRecords },
      receiptRows: pieces.reduce(0) { $0 + $1.receiptRows },
      newestSnapshotAt: pieces.compactMap(\.newestSnapshotAt).max())
  }

  /// A part and the piece it belongs to.
  private typealias PlacedPart = (piece: Int, part: EncodedFile.Part)
  /// Writes the parts of a key.
  private typealias Write =
    @Sendable (
      inout PieceMerger, Int64, ArraySlice<PlacedPart>
    ) throws(RunFailure) -> Void

  /// Adds the parts of each key to the bodies, in the order of keys and pieces.
  private func merge(
    _ parts: [[EncodedFile.Part]], workers: Int, into bodies: inout StoredBodies,
    _ write: Write
  ) throws(RunFailure) -> [EncodedFile.Part] {
    var order: [PlacedPart] = []
    order.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for (piece, parts) in parts.enumerated() { order += parts.map { (piece, $0) } }
    order.sort { ($0.part.key, $0.piece) < ($1.part.key, $1.piece) }
    let shares = Self.shares(of: order, count: workers > 1 ? workers * 4 : 1)
    let written = try inParallel(shares.count, workers: workers) { share throws(RunFailure) in
      var merger = self
      return try merger.mergeShare(shares[share], write)
    }
    var merged: [EncodedFile.Part] = []
    merged.reserveCapacity(order.count)
    for share in written {
      let start = bodies.count
      merged += share.parts.lazy.map { part in
        EncodedFile.Part(key: part.key, start: start + part.start, count: part.count)
      }
      bodies.append(share.bodies)
    }
    return merged
  }

  /// The parts in shares of about the same size, all those of a key in one.
  private static func shares(of order: [PlacedPart], count: Int) -> [ArraySlice<PlacedPart>] {
    var shares: [ArraySlice<PlacedPart>] = []
    var start = 0
    for number in 1...count {
      var end = max(start, order.count * number / count)
      while end > start, end < order.count, order[end].part.key == order[end - 1].part.key {
        end += 1
      }
      shares.append(order[start..<end])
      start = end
    }
    return shares
  }

  /// Writes the parts of each key of a share; the places count from the share's first body.
  private mutating func mergeShare(
    _ order: ArraySlice<PlacedPart>, _ write: Write
  ) throws(RunFailure) -> (parts: [EncodedFile.Part], bodies: StoredBodies) {
    var merged: [EncodedFile.Part] = []
    var bodies = StoredBodies()
    var start = order.startIndex
    while start < order.endIndex {
      let key = order[start].part.key
      let end = order[start...].firstIndex { $0.part.key != key } ?? order.endIndex
      let offset = bodies.count + writer.bytes.count
      try write(&self, key, order[start..<end])
      merged.append(
        EncodedFile.Part(
          key: key, start: offset, count: bodies.count + writer.bytes.count - offset))
      if writer.bytes.count >= Self.chunk || end == order.endIndex {
        bodies.append(try store.keep(writer.bytes))
        writer.removeAll()
      }
      start = end
    }
    return (merged, bodies)
  }

  private mutating func mergeChain(_ parts: ArraySlice<PlacedPart>) throws(RunFailure) {
    // A row takes at least two bytes.
    groups.reset(capacity: parts.reduce(0) { $0 + $1.part.count / 2 })
    seenRecords.removeAll()
    var context = RecordContext()
    var recordCount = 0
    for (piece, part) in parts {
      try read(part, of: piece) { merger, reader in
        merger.take(&reader, &context, &recordCount)
      }
    }
    writer.chainPart(groups, recordCount: recordCount, records: seenRecords)
  }

  /// Takes over the part of a chain in one piece.
  private mutating func take(
    _ reader: inout BodyReader, _ context: inout RecordContext, _ recordCount: inout Int
  ) {
    var rowContext = RowContext()
    let rows = (0..<reader.count()).map { _ in
      groups.position(of: reader.row(after: &rowContext, in: own))
    }
    var renewalBase: Int64 = 0
    let renewals = (0..<reader.count()).map { _ in
      groups.position(of: reader.renewal(after: &renewalBase, in: own))
    }
    var pieceContext = RecordContext()
    for _ in 0..<reader.count() {
      let (record, flags) = reader.record(after: &pieceContext, in: own)
      seen.begin(ordinal: pieceContext.ordinal)
      reader.seenRows(flags, rowCount: rows.count) { position, rank in
        if rank == .inApp {
          seen.inApp.append(rows[position])
        } else {
          seen.latest.append(rows[position])
        }
      }
      reader.seenRenewals(flags, count: renewals.count) { seen.renewals.append(renewals[$0]) }
      seen.sort()
      seenRecords.record(record, seen, after: &context)
      recordCount += 1
    }
  }

  private mutating func copyReport(_ id: Int64, _ placed: PlacedPart) throws(RunFailure) {
    try read(placed.part, of: placed.piece) { merger, reader in
      var offers: [OfferPrice] = []
      let source = SourceLine(file: 0, line: reader.reportLine())
      let report = reader.report(
        evidenceID: id, source: source, offers: &offers, in: merger.own)
      merger.writer.report(report, offers: offers)
    }
  }

  /// Reads a body of a piece, which this process wrote a moment ago.
  private mutating func read(
    _ part: EncodedFile.Part, of piece: Int, _ body: (inout PieceMerger, inout BodyReader) -> Void
  ) throws(RunFailure) {
    let isSound: Bool
    do {
      isSound = try pieces[piece].bodies.withBody(part) { bytes in
        unsafe bytes.withUnsafeBufferPointer { buffer in
          guard var reader = unsafe BodyReader(buffer) else { return false }
          body(&self, &reader)
          return reader.isAtEnd && !reader.isDamaged
        }
      }
    } catch {
      throw error as? RunFailure ?? RunFailure(.inputOutput, "\(error)")
    }
    guard isSound else {
      throw RunFailure(
        .invariantBroken,
        "A piece of a large file cannot be read back. This is a bug; please report it.")
    }
  }
}
