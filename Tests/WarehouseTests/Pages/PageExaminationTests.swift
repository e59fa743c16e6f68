import Foundation
import GRDB
import TestSupport
import Testing

@testable import Warehouse

/// The pages of a file as `quick_check` looks at them, with SQLite as the judge.
@Suite struct `Examination of pages` {
  /// A file with tables and indexes of several levels, payloads on overflow pages, and pages that
  /// were changed after they were written.
  private func file(in folder: WorkFolder) throws -> String {
    let path = folder.path + "/pages.db"
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = 4096;
          CREATE TABLE t (number INTEGER PRIMARY KEY, word TEXT);
          CREATE TABLE w (word TEXT PRIMARY KEY, number INTEGER);
          CREATE INDEX t_by_word ON t (word);
          CREATE TABLE spare (number INTEGER PRIMARY KEY);
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
          INSERT INTO t SELECT i * 7, printf('%05d', i * 7919 % 10007) || CASE
            WHEN i % 97 = 0 THEN hex(zeroblob(4000)) WHEN i % 5 = 0 THEN hex(zeroblob(300))
            ELSE 'x' END FROM n;
          INSERT INTO w SELECT word, number FROM t ORDER BY number * 31 % 900;
          UPDATE t SET word = substr(word, 1, 40) WHERE number % 35 = 0 AND length(word) < 2000;
          INSERT INTO t SELECT number + 3, 'later' FROM t WHERE number % 70 = 0;
          VACUUM;
          UPDATE t SET word = word || 'longer' WHERE number % 63 = 0 AND length(word) < 800;
          """)
      #expect(try Int.fetchOne(db, sql: "PRAGMA freelist_count") == 0)
    }
    try queue.close()
    return path
  }

  /// Whether everything is examined and nothing found.
  private func isSound(_ path: String) -> Bool {
    do {
      let queue = try DatabaseQueue(path: path)
      let roots = try queue.read { db in
        try Row.fetchAll(
          db, sql: "SELECT rootpage, type = 'index' FROM sqlite_schema WHERE rootpage > 0")
      }
      try queue.close()
      let examination = try PageExamination(try StoredPages(path: path))
      var trees = [try ExaminedTree(examination, root: 1, isIndex: false)]
      for row in roots {
        trees.append(try ExaminedTree(examination, root: row[0], isIndex: row[1]))
      }
      for tree in trees { try tree.examineLeaves(tree.leaves.indices) }
      return examination.use.isComplete
    } catch {
      return false
    }
  }

  private func judge(_ path: String) -> Bool {
    do {
      let queue = try DatabaseQueue(path: path)
      let words = try queue.read { try String.fetchAll($0, sql: "PRAGMA quick_check") }
      try queue.close()
      return words == ["ok"]
    } catch {
      return false
    }
  }

  @Test func `a sound file passes`() throws {
    let folder = try WorkFolder()
    let path = try file(in: folder)
    #expect(isSound(path))
    #expect(judge(path))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `whatever SQLite finds is found`(seed: UInt64) throws {
    let folder = try WorkFolder()
    let path = try file(in: folder)
    let sound = try Data(contentsOf: URL(filePath: path))
    let pages = sound.count / PageFile.pageSize
    var random = SeededGenerator(seed: seed)
    var found = 0
    for change in 0..<200 {
      var bytes = sound
      let page = Int.random(in: 0..<pages, using: &random) * PageFile.pageSize
      switch change % 4 {
      case 0:
        // Anywhere: most often in what a row says, which is nobody's business here.
        bytes[page + Int.random(in: 0..<PageFile.pageSize, using: &random)] ^= 1 << 3
      case 1, 2:
        // In the header of a page and its cells' places.
        let place = page + (page == 0 ? 100 : 0) + Int.random(in: 0..<24, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      default:
        // One page where another should be.
        let other = Int.random(in: 0..<pages, using: &random) * PageFile.pageSize
        bytes.replaceSubrange(
          page..<page + PageFile.pageSize, with: sound[other..<other + PageFile.pageSize])
      }
      try bytes.write(to: URL(filePath: path))
      let isSound = isSound(path)
      if !isSound { found += 1 }
      if isSound { #expect(judge(path), "seed \(seed), change \(change), page \(page / 4096)") }
    }
    #expect(found > 50, "seed \(seed): \(found) of 200 changes found")
    #expect(found < 200, "seed \(seed): all changes found, even those that harm nothing")
  }

  @Test func `a page that nothing uses, or two things, is found`() throws {
    let folder = try WorkFolder()
    let path = try file(in: folder)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: "DELETE FROM sqlite_schema WHERE name = 'spare'")
    }
    try queue.close()
    #expect(!isSound(path))
    #expect(!judge(path))
    let use = PageUse(pages: 3)
    try use.claim([1, 3])
    #expect(!use.isComplete)
    #expect(throws: DamagedPage.self) { try use.claim([3]) }
    #expect(throws: DamagedPage.self) { try use.claim([4]) }
    #expect(throws: DamagedPage.self) { try use.claim([0]) }
    try use.claim([2])
    #expect(use.isComplete)
  }

  @Test func `free pages, and a file longer than its header says, are left to SQLite`() throws {
    let folder = try WorkFolder()
    let path = try file(in: folder)
    let sound = try Data(contentsOf: URL(filePath: path))
    try (sound + Data(count: PageFile.pageSize)).write(to: URL(filePath: path))
    #expect(!isSound(path))
    try sound.write(to: URL(filePath: path))
    #expect(isSound(path))
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM w WHERE number < 3000") }
    try queue.close()
    #expect(!isSound(path))
  }
}
