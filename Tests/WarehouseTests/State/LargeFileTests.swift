@testable import StateStore
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import TemporaryFiles
import Testing
import TestSupport

@Suite struct `A file that does not fit into memory` {
  @Test(arguments: [1, 2, 5, 40])
  func `is read as one part would have been, wherever its rows waited`(recordsPerBatch: Int)
    throws
  {
    for seed in UInt64(1)...(LongTests.areOn ? 20 : 5) {
      let whole = SampleContent.file(seed: seed, records: 40)
      let inOneBatch = try stored(whole, recordsPerBatch: nil, memory: 1 << 20)
      for memory in [0, 3000, 1 << 20] {
        let stored = try self.stored(whole, recordsPerBatch: recordsPerBatch, memory: memory)
        #expect(stored.content == inOneBatch.content, "seed \(seed), \(memory) bytes of memory")
        #expect(stored.rows == inOneBatch.rows, "seed \(seed), \(memory) bytes of memory")
      }
    }
  }

  @Test func `is a bug, and said to be one, where two of its reports share an identity`() throws {
    let folder = try StateFolder()
    let batch = try folder.open().beginIngest()
    var file = SampleContent.file(seed: 3, records: 40)
    file.content = withEachReportOnce(file.content)
    var part = Observations()
    (part.symbols, part.offers) = (file.content.symbols, file.content.offers)
    part.reports = [file.content.reports[0]]
    let staging = batch.staging()
    #expect(staging.add(part))
    #expect(failure { _ = try batch.add(file, after: staging) }?.status == .invariantBroken)
  }

  @Test func `leaves nothing of itself, and nothing when it is refused`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    let run = try state.beginRun(.sample)
    let whole = SampleContent.file(seed: 3, records: 40)
    // The file that a killed run left under this name does no harm.
    try "left".write(toFile: folder.statePath + "-rows", atomically: true, encoding: .utf8)
    let batch = try state.beginIngest(memory: 0)
    let staging = batch.staging()
    for part in batches(of: whole.content, records: 10) { #expect(staging.add(part)) }
    #expect(!FileManager.default.fileExists(atPath: folder.statePath + "-rows"))
    let refused = IncomingFile(
      refused: whole.sha256, kind: .receipts, name: "a.gz", exportDate: nil, bytes: 1,
      refusal: "the gzip data end too early")
    #expect(try batch.add(refused, after: staging) == .added)
    try state.commit(batch, run: run)
    try state.close()
    let rows = try DatabaseQueue(path: folder.statePath).read { db in
      try ["chain_part", "price_report", "symbol"].map {
        try Int.fetchOne(db, sql: "SELECT count(1) FROM \($0)") ?? -1
      }
    }
    #expect(rows == [0, 0, 0])
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.allSatisfy { $0.hasPrefix("state.db") && !$0.contains("rows") }, "\(left)")
  }

  @Test func `is given up with a reason where its rows cannot wait`() throws {
    let folder = try StateFolder()
    let store = SortMemory(bytes: 0, path: folder.path + "/missing/rows")
    let interner = try SymbolInterner(file: folder.open().file)
    let staging = FileStaging(store: store, interner: interner)
    #expect(!staging.add(SampleContent.file(seed: 3).content))
    #expect(staging.failed?.message.contains("missing/rows") == true)
  }

  /// The content of a state.db after storing a file, and the rows that are not in bodies.
  private func stored(_ file: IncomingFile, recordsPerBatch: Int?, memory: Int) throws -> (
    content: SetText, rows: [String]
  ) {
    let folder = try StateFolder()
    let state = try folder.open()
    let run = try state.beginRun(.sample)
    let batch = try state.beginIngest(memory: memory)
    var file = file
    file.content = withEachReportOnce(file.content)
    if let recordsPerBatch {
      let staging = batch.staging()
      let all = batches(of: file.content, records: recordsPerBatch)
      for part in all.dropLast() { #expect(staging.add(part)) }
      file.content = all[all.count - 1]
      _ = try batch.add(file, after: staging)
    } else {
      _ = try batch.add(file)
    }
    try state.commit(batch, run: run)
    let content = SetText(try state.load())
    try state.close()
    let rows = try DatabaseQueue(path: folder.statePath).read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT 'chain ' || chain_key FROM chain_part
          UNION ALL SELECT 'report ' || evidence_id FROM price_report
          UNION ALL SELECT * FROM (SELECT 'symbol ' || text || is_customer FROM symbol ORDER BY 1)
          UNION ALL SELECT 'file ' || receipt_records || ' ' || receipt_rows || ' '
            || newest_snapshot_at FROM input_file
          """)
    }
    return (content, rows)
  }

  private func withEachReportOnce(_ content: Observations) -> Observations {
    var content = content
    var seen: Set<Int64> = []
    content.reports = content.reports.filter { seen.insert($0.evidenceID).inserted }
    return content
  }

  /// The same content in parts with the given number of records each; reports are distributed in
  /// turn.
  private func batches(of content: Observations, records: Int) -> [Observations] {
    let starts = stride(from: 0, to: content.records.count, by: records)
    return starts.enumerated().map { number, start in
      let range = start..<min(start + records, content.records.count)
      var part = Observations()
      part.symbols = content.symbols
      part.records = Array(content.records[range])
      for var row in content.observations where range.contains(Int(row.record)) {
        row.record -= Int32(start)
        part.observations.append(row)
      }
      for var renewal in content.renewals where range.contains(Int(renewal.record)) {
        renewal.record -= Int32(start)
        part.renewals.append(renewal)
      }
      for (index, report) in content.reports.enumerated() where index % starts.count == number {
        var report = report
        let offers = content.offers[report.offers]
        report.offers = part.offers.count..<part.offers.count + offers.count
        part.offers += offers
        part.reports.append(report)
      }
      return part
    }
  }
}

extension StrideTo<Int> {
  fileprivate var count: Int { reduce(0) { count, _ in count + 1 } }
}
