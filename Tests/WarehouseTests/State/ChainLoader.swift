internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import SQLiteFiles

@testable internal import StateStore

/// Decodes all chain parts of state.db into records, rows and renewal states, at once.
struct ChainLoader {
  private let files: LoadedFiles
  private var decoder: ChainPartDecoder
  private var numbers: RecordNumbers

  init(files: LoadedFiles, symbols: StoredSymbols, asOf: Instant) {
    self.files = files
    decoder = ChainPartDecoder(symbols: symbols, asOf: asOf)
    numbers = RecordNumbers(counts: files.recordCounts)
  }

  /// The positions of one part's rows and renewal states.
  private struct Chunk {
    var file: Int32
    var rows: Range<Int>
    var renewals: Range<Int>
  }

  /// Appends everything about purchases in the used files, in the order of ``StateDatabase/load``.
  mutating func load(_ db: Database, path: String, into set: inout Observations) throws {
    set.observations.reserveCapacity(files.rowCount)
    let parts = try RawStatement(
      "read chains",
      "SELECT chain_key, file_id, body FROM chain_part ORDER BY chain_key, file_id, piece", on: db)
    var key: Int64 = -1
    var chunks: [Chunk] = []
    while try parts.next() {
      let position = files.position(ofFile: parts.int64(1))
      guard position >= 0 else { continue }
      if parts.int64(0) != key {
        Self.sort(&chunks, in: &set)
        key = parts.int64(0)
      }
      let (firstRow, firstRenewal) = (set.observations.count, set.renewals.count)
      let isWhole = unsafe parts.withBytes(2) { bytes in
        unsafe decoder.decode(
          bytes.assumingMemoryBound(to: UInt8.self), file: position, into: &set
        ) { record, ordinal, _, set in numbers.number(of: ordinal, appending: record, to: &set) }
      }
      guard isWhole else { throw RunFailure.damaged("a chain part", path: path) }
      chunks.append(
        Chunk(
          file: position, rows: firstRow..<set.observations.count,
          renewals: firstRenewal..<set.renewals.count))
    }
    Self.sort(&chunks, in: &set)
    numbers.sort(&set)
  }

  /// Sorts a chain's parts by the content of their files; they are stored by file number.
  private static func sort(_ chunks: inout [Chunk], in set: inout Observations) {
    defer { chunks.removeAll(keepingCapacity: true) }
    let isSorted = zip(chunks, chunks.dropFirst()).allSatisfy { $0.file <= $1.file }
    guard !isSorted, let start = chunks.first else { return }
    let sorted = chunks.sorted {
      ($0.file, $0.rows.lowerBound, $0.renewals.lowerBound)
        < ($1.file, $1.rows.lowerBound, $1.renewals.lowerBound)
    }
    let rows = sorted.flatMap { set.observations[$0.rows] }
    set.observations.replaceSubrange(start.rows.lowerBound..., with: rows)
    let renewals = sorted.flatMap { set.renewals[$0.renewals] }
    set.renewals.replaceSubrange(start.renewals.lowerBound..., with: renewals)
  }
}

/// The numbers of the records read so far.
///
/// They ensure that a record with several chains is appended only once.
private struct RecordNumbers {
  /// For each file and each position in it, the number of the record, by first occurrence.
  ///
  /// -1 for a record that has not been read yet.
  private var numbers: [[Int32]]

  init(counts: [Int]) {
    numbers = counts.map { [Int32](repeating: -1, count: $0) }
  }

  /// Finds the number of a record; appends a new record to the set.
  ///
  /// `nil` for an impossible position.
  mutating func number(
    of ordinal: Int, appending record: ReceiptRecord, to set: inout Observations
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

  /// Sorts the set's records by file and position.
  func sort(_ set: inout Observations) {
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
    for index in set.observations.indices {
      set.observations[index].record = positions[Int(set.observations[index].record)]
    }
    for index in set.renewals.indices {
      set.renewals[index].record = positions[Int(set.renewals[index].record)]
    }
  }
}
