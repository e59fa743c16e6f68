internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
public import PurchaseModel

extension StateDatabase {
  /// The content of all used files, in an order that depends on the content alone.
  ///
  /// Symbols are sorted; they may include texts that only unused content names. Files are in the
  /// order of hash, then kind; records by file and line; rows and renewal states by chain, file and
  /// record; reports by evidence id, each once, at its smallest place.
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
    let limit = asOf ?? Instant(milliseconds: .max)
    return try file.read { db in
      var set = SightingSet()
      let stored: StoredSymbols
      (set.symbols, stored) = try Self.symbols(on: db, extraTexts: extraTexts)
      set.customers = Customers(set.symbols)
      set.customers.markErased(
        try ErasedCustomers.symbols(in: set.symbols, on: db).map(CustomerID.init))
      let files = try LoadedFiles(db)
      set.files = files.files
      var chains = ChainLoader(files: files, symbols: stored, asOf: limit)
      try chains.load(db, path: file.path, into: &set)
      let reports = ReportLoader(files: files, symbols: stored, asOf: limit)
      try reports.load(db, path: file.path, into: &set)
      return set
    }
  }

  /// All texts in byte order, and which number each of them has in state.db.
  static func symbols(on db: Database, extraTexts: [String]) throws
    -> (SymbolTable, StoredSymbols)
  {
    var table = SymbolTable()
    var stored = StoredSymbols()
    var extra = extraTexts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }[...]
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
}

/// The files whose content is loaded, and how much each of them holds.
struct LoadedFiles: Sendable {
  /// By hash, then kind.
  private(set) var files: [InputFile] = []
  /// By position in ``files``: how many receipt records the file has.
  private(set) var recordCounts: [Int] = []
  /// The number of rows of all files.
  private(set) var rowCount = 0
  /// By number in state.db: the position in ``files``, or -1.
  private var positions: [Int32] = []

  /// Reads which files are used, or all that hold content.
  init(_ db: Database, ofAnyStatus: Bool = false, without: Set<Int64> = []) throws {
    let rows = try RawStatement(
      "read used files",
      """
      SELECT file_id, name, sha256, kind, receipt_records, receipt_rows
      FROM input_file WHERE status = 'used' OR ?1 ORDER BY sha256, kind
      """, on: db)
    rows.bind(ofAnyStatus ? 1 : 0 as Int64, at: 1)
    while try rows.next() {
      let id = Int(rows.int64(0))
      guard !without.contains(rows.int64(0)) else { continue }
      while positions.count <= id { positions.append(-1) }
      positions[id] = Int32(files.count)
      files.append(
        InputFile(
          id: rows.int64(0), name: rows.text(1), sha256: rows.text(2),
          kind: InputFile.Kind(rawValue: rows.text(3)) ?? .receipts))
      recordCounts.append(Int(rows.int64(4)))
      rowCount += Int(rows.int64(5))
    }
  }

  /// The position of a file, or -1 for one that is not used.
  @inline(__always)
  func position(ofFile id: Int64) -> Int32 {
    id < Int64(positions.count) ? positions[Int(id)] : -1
  }
}

extension RunFailure {
  /// A body of state.db that no version of this program wrote.
  static func damaged(_ what: String, path: String) -> RunFailure {
    RunFailure(
      .inputOutput,
      "\(path): \(what) cannot be decoded, so the file is damaged. "
        + "Remove it and rebuild it from the exports.")
  }
  /// Two contents with one identity, which SHA-256 does not give.
  static func twoReports(under evidenceID: Int64) -> RunFailure {
    RunFailure(
      .invariantBroken,
      "Two different price reports share evidence id \(evidenceID). "
        + "This is a bug; please report it.")
  }
}
