internal import Diagnostics
internal import Foundation
@testable internal import Pipeline
internal import SystemPackage
internal import TestSupport
internal import Testing
internal import Warehouse

struct WarehouseLockTests {
  private func lock(_ folder: TemporaryFolder, _ name: String = "warehouse.db") throws {
    _ = try WarehouseLock(path: folder.path(name), waitSeconds: 0)
  }

  @Test(arguments: [false, true])
  func `a second run is told who publishes, and gets the lock when that one has ended`(
    exists: Bool
  ) throws {
    let folder = try TemporaryFolder()
    if exists { try folder.write("warehouse.db", "facts") }
    do {
      let lock = try WarehouseLock(path: folder.path("warehouse.db"), waitSeconds: 0)
      let failure = #expect(throws: RunFailure.self) { try self.lock(folder) }
      #expect(failure?.status == .tryAgain)
      let held = exists ? "warehouse.db" : "warehouse.db.building"
      #expect(failure?.message.contains("\(held): process \(getpid());") == true)
      try self.lock(folder, "other.db")
      withExtendedLifetime(lock) {}
    }
    try lock(folder)
    #expect(try folder.names() == (exists ? ["warehouse.db"] : []))
  }

  @Test(arguments: [false, true])
  func `the draft of a killed run is told and removed`(exists: Bool) throws {
    let folder = try TemporaryFolder()
    if exists { try folder.write("warehouse.db", "facts") }
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try folder.write("warehouse.db.building" + suffix, "half")
    }
    let warehouse = WarehouseDatabase(path: folder.path("warehouse.db"))
    #expect(WarehouseLock.bytesLeftBehind(warehouse) == 4)
    do {
      let lock = try WarehouseLock(path: warehouse.path, waitSeconds: 0)
      // The unfinished warehouse is in use, so it is not reported as left behind.
      #expect(WarehouseLock.bytesLeftBehind(warehouse) == nil)
      withExtendedLifetime(lock) {}
    }
    #expect(try folder.names() == (exists ? ["warehouse.db"] : []))
  }

  @Test func `a link or a folder in the place of the unfinished file harms nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", "bytes")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("warehouse.db.building"),
      withDestinationPath: folder.path("precious"))
    try lock(folder)
    #expect(try folder.names() == ["precious"])
    #expect(try folder.bytes("precious") == Array("bytes".utf8))
    try folder.write("warehouse.db.building/inside", "x")
    let failure = #expect(throws: RunFailure.self) { try lock(folder) }
    #expect(failure?.status == .cannotCreate)
    #expect(failure?.message.contains("warehouse.db.building: ") == true)
  }

  @Test func `the holder stands in the kernel's list`() {
    let table = """
      1: POSIX  ADVISORY  READ  900 00:1a:77 1073741826 1073742335
      2: FLOCK  ADVISORY  WRITE 812 00:1a:177 0 EOF
      2: -> FLOCK  ADVISORY  WRITE 813 00:1a:77 0 EOF
      3: FLOCK  ADVISORY  READ  814 00:1a:77 0 EOF
      4: FLOCK  ADVISORY  WRITE 815 00:1a:77 0 EOF

      """
    #expect(LockTable.holder(ofFile: 77, in: table) == 815)
    #expect(LockTable.holder(ofFile: 7, in: table) == nil)
  }
}
