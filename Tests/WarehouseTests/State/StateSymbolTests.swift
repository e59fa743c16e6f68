import SQLiteFiles
@testable import StateStore
import CivilTime
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import Testing

@Suite struct `Customer ids in state.db` {
  /// A file in which one text is a customer's id, a product and a transaction id.
  private func file() -> IncomingFile {
    var file = SampleContent.file(seed: 1, records: 0)
    file.tally = RecordTally()
    file.tally.used = 1
    let name = file.content.symbols.intern("canary-4711")
    let id = AppleNumber("canary-4711", symbols: &file.content.symbols)
    file.content.records = [
      ReceiptRecord(
        source: SourceLine(file: 0, line: 1), ordinal: 0, snapshotAt: .epoch,
        customer: CustomerID(name),
        storefront: nil, bundle: nil, isSandbox: false)
    ]
    file.content.observations = [
      TransactionObservation(
        record: 0, rank: .latest, transactionID: TransactionID(id),
        originalTransactionID: OriginalTransactionID(AppleNumber(rawValue: 1)),
        productID: ProductID(name), purchasedAt: .epoch)
    ]
    return file
  }

  @Test func `stand apart from equal texts, so that one UPDATE erases a customer`() throws {
    let folder = try StateFolder()
    try folder.store([file()])
    let state = try folder.open()
    try state.file.write { db in
      try db.execute(
        sql: "UPDATE symbol SET text = 'erased-1' WHERE text = 'canary-4711' AND is_customer = 1")
      #expect(db.changesCount == 1)
    }
    let set = try state.load()
    #expect(set.records.first?.customer.map { set.symbols.text($0.symbol) } == "erased-1")
    #expect(set.observations.first.map { set.symbols.text($0.productID.symbol) } == "canary-4711")
    #expect(
      set.observations.first.map { $0.transactionID.number.text(in: set.symbols) } == "canary-4711")
  }

  @Test func `an erased text is gone from the file and its log`() throws {
    var file = file()
    let other = file.content.symbols.intern("other")
    file.content.observations[0].transactionID = TransactionID(AppleNumber(rawValue: 2))
    file.content.observations[0].productID = ProductID(other)
    let folder = try StateFolder()
    try folder.store([file])
    try folder.store([SampleContent.file(seed: 2)])
    let path = folder.statePath
    #expect(try holds("canary-4711", in: path))
    let state = try folder.open()
    try state.file.write { db in
      // The new text is longer than the id, and the row is not the last, so the row moves and its
      // old place is freed.
      let hash = String(repeating: "0123456789abcdef", count: 4)
      try db.execute(
        sql: "UPDATE symbol SET text = ? WHERE text = 'canary-4711'", arguments: [hash])
    }
    #expect(try state.file.checkpoint())
    #expect(try !holds("canary-4711", in: path))
    #expect(try !holds("canary-4711", in: path + "-wal"))
  }

  @Test func `keep their number in later runs`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let before = try symbols(state)
    try state.store([SampleContent.file(seed: 2)])
    let after = try symbols(state)
    #expect(after.prefix(before.count) == before[...])
    #expect(Set(after.map { $0.split(separator: " ", maxSplits: 1).last }).count == after.count)
  }

  private func symbols(_ state: StateDatabase) throws -> [String] {
    try state.file.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT symbol_id || ' ' || is_customer || ' ' || text FROM symbol ORDER BY symbol_id")
    }
  }

  private func holds(_ text: String, in path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
  }
}
