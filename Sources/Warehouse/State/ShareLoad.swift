public import CivilTime
public import Diagnostics
internal import GRDB
internal import Parallel
public import PurchaseModel
public import Purchases
internal import Synchronization

/// Everything the used files say, with what was made of the sightings in their place.
public struct LoadedShares<Share: Sendable>: Sendable {
  /// Symbols, files and price reports as ``StateDatabase/load(asOf:extraTexts:)`` gives them;
  /// records, rows and renewal states are empty.
  public var set: SightingSet
  /// What was made of each share; which chains stand in which follows from their ids alone.
  public var shares: [Share]
  /// What production records without any row say about storefronts.
  public var loneStorefronts: [StorefrontSighting]
  /// The newest snapshot; `nil` without a record.
  public var newestSnapshot: Instant?
}

extension StateDatabase {
  /// The same as ``load(asOf:extraTexts:)`` without ever holding all sightings: chains are read
  /// share by share, on several threads, and only what is made of a share is kept.
  ///
  /// A share holds whole chains. A record that names several chains stands in the share of each,
  /// as often as it names one.
  ///
  /// - Parameters:
  ///   - asOf: leaves out receipt records and price reports later than this moment; `nil` leaves
  ///     out none.
  ///   - extraTexts: texts that the symbols must hold although no file names them.
  ///   - workers: How many threads read.
  ///   - rowsInShare: About how many rows a share holds.
  ///   - make: Makes something of the sightings of a share, given its number; called by several
  ///     threads at once.
  /// - Returns: the whole input of a reconstruction.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, and what `make` throws.
  public func load<Share: Sendable>(
    asOf: Instant? = nil, extraTexts: [String] = [], workers: Int, rowsInShare: Int = 8192,
    _ make: @Sendable (Int, SightingSet) throws(RunFailure) -> Share
  ) throws(RunFailure) -> LoadedShares<Share> {
    let limit = asOf ?? Instant(milliseconds: .max)
    let path = file.path
    return try file.read { db in
      var set = SightingSet()
      let stored: StoredSymbols
      (set.symbols, stored) = try Self.symbols(on: db, extraTexts: extraTexts)
      set.customers = Customers(set.symbols)
      set.customers.markErased(
        try ErasedCustomers.symbols(in: set.symbols, on: db).map(CustomerID.init))
      let files = try LoadedFiles(db)
      set.files = files.files
      let plan = SharePlan(files: files, rowsInShare: rowsInShare)
      let reader = ShareReader(
        empty: set, files: files, symbols: stored, asOf: limit, plan: plan, path: path)
      let read: [ReadShares<Share>]
      if workers > 1, plan.pieces > 1,
        let several = try Self.read(
          path: path, workers: min(workers, plan.pieces), generation: Self.generation(on: db),
          { (db) in try reader.read(db, make) })
      {
        read = several
      } else {
        plan.begin()
        read = [try reader.read(db, make)]
      }
      return LoadedShares(read, into: set)
    }
  }

  /// Reads on connections of their own; `nil` where another process has changed state.db between
  /// the first connection's look and another's, so that they do not see the same.
  private static func read<Value: Sendable>(
    path: String, workers: Int, generation: Int64, _ body: @Sendable (Database) throws -> Value
  ) throws(RunFailure) -> [Value]? {
    let values = try inParallel(workers, workers: workers) { _ throws(RunFailure) -> Value? in
      let file = try DatabaseFile(path: path, format: .state, access: .readOnly)
      let value = try file.read { db in
        try Self.generation(on: db) == generation ? try body(db) : nil
      }
      try file.close()
      return value
    }
    let found = values.compactMap(\.self)
    return found.count == values.count ? found : nil
  }
}

/// What one thread read: pieces with their numbers.
private struct ReadShares<Share: Sendable>: Sendable {
  var shares: [(piece: Int, share: Share)] = []
  var reports: [(piece: Int, reports: [PriceReport], offers: [OfferPrice])] = []
  var lone: [(record: Int, storefront: StorefrontSighting)] = []
  var withRows: RecordMarks
  var newestSnapshot: Instant?
}

extension LoadedShares {
  /// Puts together what several threads read.
  fileprivate init(_ read: [ReadShares<Share>], into empty: SightingSet) {
    set = empty
    shares = read.flatMap(\.shares).sorted { $0.piece < $1.piece }.map(\.share)
    newestSnapshot = read.compactMap(\.newestSnapshot).max()
    loneStorefronts = read.flatMap(\.lone).compactMap { lone in
      read.contains { $0.withRows[lone.record] } ? nil : lone.storefront
    }
    let reports = read.flatMap(\.reports).sorted { $0.piece < $1.piece }
    set.reports.reserveCapacity(reports.reduce(0) { $0 + $1.reports.count })
    set.offers.reserveCapacity(reports.reduce(0) { $0 + $1.offers.count })
    for piece in reports {
      let offset = set.offers.count
      for var report in piece.reports {
        report.offers = report.offers.lowerBound + offset..<report.offers.upperBound + offset
        set.reports.append(report)
      }
      set.offers += piece.offers
    }
  }
}

/// The pieces that reading is done in: ranges of chain keys, then ranges of evidence ids.
private final class SharePlan: Sendable {
  private let chainPieces: Int
  private let reportPieces: Int
  private let next = Atomic<Int>(0)

  init(files: LoadedFiles, rowsInShare: Int) {
    chainPieces = min(1 << 16, max(1, files.rowCount / max(1, rowsInShare)))
    reportPieces = min(32, chainPieces)
  }

  enum Piece {
    case chains(number: Int, ClosedRange<Int64>)
    case reports(number: Int, ClosedRange<Int64>)
  }

  var pieces: Int { chainPieces + reportPieces }

  /// Begins with the first piece again.
  func begin() { next.store(0, ordering: .relaxed) }

  /// A piece that nobody has; `nil` when all are taken.
  func take() -> Piece? {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    if number < chainPieces {
      return .chains(number: number, Self.range(number, of: chainPieces))
    }
    guard number < pieces else { return nil }
    return .reports(
      number: number - chainPieces, Self.range(number - chainPieces, of: reportPieces))
  }

  /// A part of all keys.
  ///
  /// Keys are 63 evenly spread bits; the first part holds what else there is.
  private static func range(_ number: Int, of count: Int) -> ClosedRange<Int64> {
    let width = Int64.max / Int64(count)
    let first = number == 0 ? Int64.min : Int64(number) * width
    return first...(number == count - 1 ? Int64.max : Int64(number + 1) * width - 1)
  }
}

/// Reads pieces of state.db until none is left.
private struct ShareReader: Sendable {
  let empty: SightingSet
  let files: LoadedFiles
  let symbols: StoredSymbols
  let asOf: Instant
  let plan: SharePlan
  let path: String

  func read<Share: Sendable>(
    _ db: Database, _ make: (Int, SightingSet) throws(RunFailure) -> Share
  ) throws -> ReadShares<Share> {
    var read = ReadShares<Share>(withRows: RecordMarks(counts: files.recordCounts))
    var decoder = ChainPartDecoder(symbols: symbols, asOf: asOf)
    let parts = try RawStatement(
      "read chains",
      "SELECT file_id, body FROM chain_part WHERE chain_key BETWEEN ?1 AND ?2", on: db)
    let reports = ReportLoader(files: files, symbols: symbols, asOf: asOf)
    var set = empty
    while let piece = plan.take() {
      switch piece {
      case .chains(let number, let keys):
        set.records.removeAll(keepingCapacity: true)
        set.sightings.removeAll(keepingCapacity: true)
        set.renewals.removeAll(keepingCapacity: true)
        parts.bind(keys.lowerBound, at: 1)
        parts.bind(keys.upperBound, at: 2)
        try load(parts, with: &decoder, into: &set, &read)
        read.shares.append((number, try make(number, set)))
      case .reports(let number, let ids):
        var loaded = empty
        try reports.load(db, path: path, ids: ids, into: &loaded)
        read.reports.append((number, loaded.reports, loaded.offers))
      }
    }
    return read
  }

  private func load<Share>(
    _ parts: RawStatement, with decoder: inout ChainPartDecoder, into set: inout SightingSet,
    _ read: inout ReadShares<Share>
  ) throws {
    while try parts.next() {
      let position = files.position(ofFile: parts.int64(0))
      guard position >= 0 else { continue }
      let isWhole = unsafe parts.withBytes(1) { bytes in
        unsafe decoder.decode(
          bytes.assumingMemoryBound(to: UInt8.self), file: position, into: &set
        ) { record, ordinal, hasRows, set in
          guard let place = read.withRows.place(of: ordinal, in: position) else { return nil }
          read.newestSnapshot = max(read.newestSnapshot ?? record.snapshotAt, record.snapshotAt)
          if hasRows {
            read.withRows.mark(place)
          } else if let storefront = record.storefront, !record.isSandbox {
            read.lone.append(
              (
                place,
                StorefrontSighting(
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

/// A bit for each record of all files.
private struct RecordMarks: Sendable {
  private var starts: [Int] = [0]
  private var words: [UInt64]

  init(counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    words = Array(repeating: 0, count: starts[starts.count - 1] / 64 + 1)
  }

  /// The number of a record among all; `nil` for a place that its file does not have.
  func place(of ordinal: Int, in file: Int32) -> Int? {
    let place = starts[Int(file)] + ordinal
    return place < starts[Int(file) + 1] ? place : nil
  }

  subscript(place: Int) -> Bool { words[place / 64] & 1 << UInt64(place % 64) != 0 }

  mutating func mark(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }
}
