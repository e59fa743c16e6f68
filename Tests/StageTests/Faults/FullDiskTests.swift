internal import Foundation
internal import TestSupport
internal import Testing

/// Mounts that are invisible to other processes; creating them needs root permissions.
private enum PrivateMount {
  static var isPossible: Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// A full disk: a file system of a few kilobytes or inodes, in a mount namespace that ends with the
/// shell.
@Suite(.enabled("a private mount cannot be made here") { PrivateMount.isPossible })
struct FullDiskTests {
  /// Runs the pipeline with `var` on a small file system, then again after enlarging the file
  /// system.
  private static func endings(_ shop: Shop, limit: String) throws -> Ending {
    try shop.run(
      "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
      """
      mkdir -p var && mount -t tmpfs -o \(limit) tmpfs var
      paidline='\(Shop.executables.path)/paidline run pipeline.yaml'
      $paidline; echo $?; mount -o remount,size=50m,nr_inodes=1000 var; $paidline; echo $?
      """)
  }

  // Inodes for the folder, the lock, and none, one or two of the three files of state.db.
  @Test(arguments: [2, 3, 4])
  func `a disk without inodes is 74 and named, and the next run goes on`(_ inodes: Int) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    let ending = try Self.endings(shop, limit: "size=50m,nr_inodes=\(inodes)")
    #expect(ending.output == "74\n0\n", "\(ending.errors)")
    #expect(ending.errors.contains("var/state.db"))
    #expect(ending.errors.contains("inodes") || ending.errors.contains("No space left"))
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
  }

  @Test(arguments: [8, 64, 256])
  func `a full disk is 74 and named, and the next run goes on`(_ kibibytes: Int) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    let ending = try Self.endings(shop, limit: "size=\(kibibytes)k")
    #expect(ending.output == "74\n0\n", "\(ending.errors)")
    #expect(ending.errors.contains("var/"))
    #expect(ending.errors.contains("ree some space"))
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
  }
}
