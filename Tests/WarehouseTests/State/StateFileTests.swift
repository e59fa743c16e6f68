import SQLiteFiles
@testable import StateStore
import Amounts
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import TestSupport
import Testing

@Suite struct `state.db as a file` {
  @Test func `is missing until somebody may create it`() throws {
    let folder = try StateFolder()
    let path = folder.statePath
    #expect(
      failure { _ = try StateDatabase.open(path: path, create: false) }?.status == .inputMissing)
    #expect(failure { _ = try StateDatabase.openToRead(path: path) }?.status == .inputMissing)
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try folder.open()
    _ = try StateDatabase.open(path: path, create: false)
    #expect(try StateDatabase.openToRead(path: path).generation() == 0)
  }

  @Test func `is readable by its owner alone, and so are its logs`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.statePath + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "state.db\(suffix)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["state.db", "state.db-shm", "state.db-wal"])
  }

  @Test func `an empty file left by a killed creation is taken over and made private`() throws {
    let folder = try StateFolder()
    #expect(
      FileManager.default.createFile(
        atPath: folder.statePath, contents: Data(), attributes: [.posixPermissions: 0o644]))
    try folder.store([SampleContent.file(seed: 1)])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.statePath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: ["text", "database", "newer", "older", "truncated"])
  func `a database of another program is refused and stays as it was`(kind: String) throws {
    let folder = try StateFolder()
    let path = folder.statePath
    switch kind {
    case "text":
      try Data("customer,price\n1,2\n".utf8).write(to: URL(fileURLWithPath: path))
    case "database":
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
      try queue.close()
    default:
      try folder.open().close()
      if kind == "truncated" {
        try Data(contentsOf: URL(fileURLWithPath: path)).prefix(60)
          .write(to: URL(fileURLWithPath: path))
      } else {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
          try $0.execute(sql: "PRAGMA user_version = \(kind == "newer" ? 99 : 0)")
          try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
      }
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for create in [true, false] {
      let failure = failure { _ = try StateDatabase.open(path: path, create: create) }
      #expect(failure?.status == .badConfiguration)
      #expect(failure?.message.contains(path) == true)
    }
    #expect(failure { _ = try StateDatabase.openToRead(path: path) }?.status == .badConfiguration)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a place that does not exist or is no file is named`() throws {
    let folder = try StateFolder()
    let nowhere = failure {
      _ = try StateDatabase.open(path: folder.path + "/missing/state.db", create: true)
    }
    #expect(nowhere?.status == .cannotCreate)
    #expect(nowhere?.message.contains("/missing/state.db") == true)
    let directory = failure { _ = try StateDatabase.open(path: folder.path, create: true) }
    #expect(directory?.status == .badConfiguration)
  }

  @Test func `a damaged body is noticed`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let bodies = try state.file.read { db in
      try Data.fetchAll(db, sql: "SELECT body FROM chain_part ORDER BY chain_key")
    }
    let body = try #require(bodies.max { $0.count < $1.count })
    var noticed = 0
    for length in 0..<body.count {
      try state.file.write { db in
        try db.execute(
          sql: "UPDATE chain_part SET body = ? WHERE length(body) = ? OR body = ?",
          arguments: [
            body.prefix(length), body.count, length == 0 ? body : body.prefix(length - 1),
          ])
      }
      if failure({ _ = try state.load() })?.status == .inputOutput { noticed += 1 }
    }
    #expect(noticed == body.count)
  }

  @Test func `any bytes as a body are damage or content, never a trap`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 2)])
    let state = try folder.open()
    let keys = try state.file.read {
      try Int64.fetchAll($0, sql: "SELECT chain_key FROM chain_part")
    }
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<400 {
      let key = keys[Int(generator.next() % UInt64(keys.count))]
      try state.file.write { db in
        let body = try Data.fetchOne(
          db, sql: "SELECT body FROM chain_part WHERE chain_key = ?", arguments: [key])
        var bytes = [UInt8](body ?? Data())
        guard !bytes.isEmpty else { return }
        bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() % 256)
        try db.execute(
          sql: "UPDATE chain_part SET body = ? WHERE chain_key = ?", arguments: [Data(bytes), key])
      }
      let failure = failure { _ = try state.load() }
      #expect(failure == nil || failure?.status == .inputOutput)
    }
  }

  @Test func `two different reports under one evidence id are a broken invariant`() throws {
    var first = SampleContent.file(seed: 1)
    first.content.reports = Array(first.content.reports.prefix(1))
    var second = first
    second.sha256 = SampleContent.hash(99)
    second.content.reports[0].price = .zero
    let folder = try StateFolder()
    try folder.store([first, second])
    #expect(failure { _ = try folder.open().load() }?.status == .invariantBroken)
  }
  @Test func `so are two different ones in one file, and two equal ones are one`() throws {
    var file = SampleContent.file(seed: 1)
    let report = file.content.reports[0]
    file.content.reports = [report, report]
    file.content.reports[0].source.line = 30
    file.content.reports[1].source.line = 20
    let folder = try StateFolder()
    try folder.store([file])
    #expect(try folder.open().load().reports.map(\.source.line) == [20])

    file.sha256 = SampleContent.hash(99)
    file.content.reports[1].price = .zero
    let state = try folder.open()
    let batch = try state.beginIngest()
    #expect(failure { _ = try batch.add(file) }?.status == .invariantBroken)
    #expect(failure { try state.commit(batch, run: 1) }?.status == .invariantBroken)
    #expect(try state.files().count == 1)
  }
}
