internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
internal import Parallel
public import PurchaseModel
public import Purchases
internal import Synchronization

/// The content of the used files, with one value for the sightings of each share.
public struct LoadedShares<Share: Sendable>: Sendable {
  /// Symbols, files and price reports as ``StateDatabase/load(asOf:extraTexts:)`` gives them;
  /// records, rows and renewal states are empty.
  public var set: SightingSet
  /// The value of each share; the chains of a share follow from their ids alone.
  public var shares: [Share]
  /// The storefronts in production records without any row.
  public var loneStorefronts: [StorefrontSighting]
  /// The newest snapshot; `nil` without a record.
  public var newestSnapshot: Instant?
}

/// A part of the files' content.
public struct StateSelection: Sendable {
  /// The chains, by key.
  public var chains: [ChainKey]
  /// The price reports, by evidence id.
  public var reports: [Int64]
  /// The files that are left out, by number.
  public var without: Set<Int64> = []
  /// The files whose records without any row are wanted: all chains of them are among the selected.
  public var whole: Set<Int64> = []

  /// Selects chains and reports.
  public init(chains: some Sequence<ChainKey>, reports: some Sequence<Int64>) {
    self.chains = chains.sorted()
    self.reports = reports.sorted()
  }
}

/// All texts of state.db, which several loads of one moment share.
public struct StateTexts: Sendable {
  /// The texts and customers; nothing else.
  public let set: SightingSet
  /// The generation of the texts.
  public let generation: Int64
  let stored: StoredSymbols

  /// The symbol of a text, by its number in state.db; `nil` for one that is gone.
  public func symbol(ofNumber number: UInt32) -> Symbol? { stored[UInt64(number)] }

  /// By symbol: its number in state.db; 0 for a text that only settings name.
  public var numbers: [UInt32] { stored.numbers(count: set.symbols.count) }
}

extension StateDatabase {
  /// Reads all texts.
  ///
  /// - Parameter extraTexts: texts that the symbols must hold although no file names them.
  /// - Returns: the texts of this moment.
  /// - Throws: ``RunFailure`` when reading fails.
  public func texts(_ extraTexts: [String] = []) throws(RunFailure) -> StateTexts {
    try file.read { db in
      var set = SightingSet()
      let stored: StoredSymbols
      (set.symbols, stored) = try Self.symbols(on: db, extraTexts: extraTexts)
      set.customers = Customers(set.symbols)
      set.customers.markErased(
        try ErasedCustomers.symbols(in: set.symbols, on: db).map(CustomerID.init))
      return StateTexts(set: set, generation: try Self.generation(on: db), stored: stored)
    }
  }

  /// Everything, with the texts of this moment; see ``load(asOf:_:only:workers:rowsInShare:_:)``.
  ///
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, and the error of `make`.
  public func load<Share: Sendable>(
    asOf: Instant? = nil, extraTexts: [String] = [], workers: Int, rowsInShare: Int = 8192,
    _ make: @Sendable (Int, SightingSet) throws(RunFailure) -> Share
  ) throws(RunFailure) -> LoadedShares<Share> {
    try load(
      asOf: asOf, try texts(extraTexts), workers: workers, rowsInShare: rowsInShare, make)
  }

  /// The same as ``load(asOf:extraTexts:)`` without ever holding all sightings.
  ///
  /// Chains are read share by share, on several threads, and only the value made from a share is
  /// kept. A share holds whole chains. A record that names several chains is in the share of each,
  /// as often as it names one.
  ///
  /// - Parameters:
  ///   - asOf: leaves out receipt records and price reports later than this moment; `nil` leaves
  ///     out none.
  ///   - texts: all texts, of this generation.
  ///   - selection: the part that is read; `nil` for everything.
  ///   - workers: The number of threads that read.
  ///   - rowsInShare: The approximate number of rows in a share.
  ///   - make: Makes a value from the sightings of a share, given its number; called by several
  ///     threads at once.
  /// - Returns: the whole input of a reconstruction.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, and the error of `make`.
  public func load<Share: Sendable>(
    asOf: Instant? = nil, _ texts: StateTexts, only selection: StateSelection? = nil, workers: Int,
    rowsInShare: Int = 8192,
    _ make: @Sendable (Int, SightingSet) throws(RunFailure) -> Share
  ) throws(RunFailure) -> LoadedShares<Share> {
    let limit = asOf ?? Instant(milliseconds: .max)
    let path = file.path
    return try file.read { db in
      guard try Self.generation(on: db) == texts.generation else {
        throw RunFailure(.tryAgain, "\(path): another run changed it meanwhile. Run again.")
      }
      var set = texts.set
      let files = try LoadedFiles(db, without: selection?.without ?? [])
      set.files = files.files
      let plan =
        selection.map(SharePlan.init) ?? SharePlan(files: files, rowsInShare: rowsInShare)
      let reader = ShareReader(
        empty: set, files: files, symbols: texts.stored, asOf: limit, plan: plan, path: path,
        loneFiles: selection.map { Set($0.whole.map(files.position)) })
      let read: [ReadShares<Share>]
      if workers > 1, plan.pieces > 1,
        let several = try Self.read(
          path: path, workers: min(workers, plan.pieces), generation: texts.generation,
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

  /// Reads on connections of their own; `nil` if another process has changed state.db between
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

/// The shares that one thread read, with their numbers.
private struct ReadShares<Share: Sendable>: Sendable {
  var shares: [(piece: Int, share: Share)] = []
  var reports: [(piece: Int, reports: [PriceReport], offers: [OfferPrice])] = []
  var lone: [(record: Int, storefront: StorefrontSighting)] = []
  var withRows: RecordMarks
  var newestSnapshot: Instant?
}

extension LoadedShares {
  /// Puts the shares of several threads together.
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
  private let all: [Piece]
  private let next = Atomic<Int>(0)

  /// Everything, in even parts.
  init(files: LoadedFiles, rowsInShare: Int) {
    let count = min(1 << 16, max(1, files.rowCount / max(1, rowsInShare)))
    let reports = min(32, count)
    all =
      (0..<count).map { .chains(number: $0, [Self.range($0, of: count)]) }
      + (0..<reports).map { .reports(number: $0, [Self.range($0, of: reports)]) }
  }

  /// The selection, some keys a piece.
  init(_ selection: StateSelection) {
    let chains = Self.portions(selection.chains.map(\.rawValue), of: 256)
    let reports = Self.portions(selection.reports, of: 1024)
    all =
      chains.enumerated().map { .chains(number: $0.offset, $0.element) }
      + reports.enumerated().map { .reports(number: $0.offset, $0.element) }
  }

  enum Piece {
    case chains(number: Int, [ClosedRange<Int64>])
    case reports(number: Int, [ClosedRange<Int64>])
  }

  var pieces: Int { all.count }

  /// Begins with the first piece again.
  func begin() { next.store(0, ordering: .relaxed) }

  /// A piece that no thread has taken; `nil` when all are taken.
  func take() -> Piece? {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < all.count ? all[number] : nil
  }

  private static func portions(_ keys: [Int64], of size: Int) -> [[ClosedRange<Int64>]] {
    stride(from: 0, to: keys.count, by: size).map { start in
      keys[start..<min(start + size, keys.count)].map { $0...$0 }
    }
  }

  /// A part of all keys.
  ///
  /// Keys are 63 evenly spread bits; the first part also holds keys outside of them.
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
  /// The positions of the files whose records without any row are wanted; `nil` for all.
  let loneFiles: Set<Int32>?

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
        for range in keys {
          parts.bind(range.lowerBound, at: 1)
          parts.bind(range.upperBound, at: 2)
          try load(parts, with: &decoder, into: &set, &read)
        }
        read.shares.append((number, try make(number, set)))
      case .reports(let number, let ids):
        var loaded = empty
        for range in ids { try reports.load(db, path: path, ids: range, into: &loaded) }
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
          } else if let storefront = record.storefront, !record.isSandbox,
            loneFiles?.contains(position) ?? true
          {
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
