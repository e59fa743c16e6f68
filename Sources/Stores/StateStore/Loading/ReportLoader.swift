internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel

/// Reads the price reports of state.db; equal reports in several files result in only one report.
struct ReportLoader {
  private let files: LoadedFiles
  private let symbols: StoredSymbols
  private let asOf: Instant
  private let rows: RawStatement

  /// Prepares the statement that reads price reports.
  init(_ db: Database, files: LoadedFiles, symbols: StoredSymbols, asOf: Instant) throws {
    self.files = files
    self.symbols = symbols
    self.asOf = asOf
    rows = try RawStatement(
      "read price reports",
      """
      SELECT evidence_id, file_id, body, checksum FROM price_report
      WHERE evidence_id BETWEEN ?1 AND ?2 ORDER BY evidence_id, file_id
      """, on: db)
  }

  /// Appends the reports within a range of evidence ids, sorted by id.
  func load(path: String, ids: ClosedRange<Int64>, into set: inout Observations) throws {
    rows.bind(ids.lowerBound, at: 1)
    rows.bind(ids.upperBound, at: 2)
    var current: Int64?
    var isKept = false
    var content: [UInt8] = []
    while try rows.next() {
      let position = files.position(ofFile: rows.int64(1))
      guard position >= 0 else { continue }
      let id = rows.int64(0)
      try unsafe rows.withBytes(2) { bytes in
        guard unsafe RowChecksum(id, rows.int64(1)).with(bytes) == rows.int64(3),
          var body = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self), in: symbols)
        else { throw RunFailure.damaged("a price report", path: path) }
        var source = SourceLine(file: position, line: 0)
        body.code(&source.line)
        let rest = unsafe bytes.suffix(body.remaining)
        if id == current {
          guard unsafe content.elementsEqual(rest) else { throw RunFailure.twoReports(under: id) }
          if isKept, let last = set.reports.indices.last {
            set.reports[last].source = min(set.reports[last].source, source)
          }
        } else {
          current = id
          content.removeAll(keepingCapacity: true)
          unsafe content.append(contentsOf: rest)
          isKept = try append(&body, id: id, source: source, to: &set, path: path)
        }
      }
    }
  }

  /// Appends a report, unless it was reported after the as-of time; returns true if it was
  /// appended.
  private func append(
    _ body: inout BodyReader, id: Int64, source: SourceLine, to set: inout Observations,
    path: String
  ) throws -> Bool {
    let offers = set.offers.count
    let report = body.report(evidenceID: id, source: source, offers: &set.offers)
    guard !body.isDamaged, body.isAtEnd else {
      throw RunFailure.damaged("a price report", path: path)
    }
    guard report.reportedAt <= asOf else {
      set.offers.removeSubrange(offers...)
      return false
    }
    set.reports.append(report)
    return true
  }
}
