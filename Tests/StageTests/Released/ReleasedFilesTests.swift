internal import Diagnostics
internal import Foundation
internal import TestSupport
internal import Testing

/// The databases that released programs wrote, read by the current program.
///
/// `Tests/Released/VERSION` has both databases of that version. It wrote them from the exports in
/// `Tests/Released/store`, without the newest exports. The tests fail if a released schema was
/// changed in place, or if the bytes of state.db are read differently.
@Suite struct ReleasedFilesTests {
  static let versions: [String] = {
    let folders = try? FileManager.default.contentsOfDirectory(atPath: ReleasedStore.folder.path)
    return (folders ?? []).filter { $0.first?.isNumber == true }.sorted()
  }()

  /// The version whose files are to be written; set by `make released-files`.
  private static let versionToWrite = ProcessInfo.processInfo.environment["PAIDLINE_WRITE_RELEASED"]

  /// Databases of 0.1.0 are refused, so that the first schema could be drawn anew.
  @Test(.enabled(if: versionToWrite == nil))
  func `every published release has its files, and the one to come`() throws {
    let changelog = try String(
      contentsOf: Checkout.folder.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let published = changelog.matches(of: #/(?m)^## (\d+\.\d+\.\d+) /#).map { String($0.1) }
      .filter { $0 != "0.1.0" }
    #expect(Set(published).isSubset(of: Self.versions))
    #expect(Self.versions.contains(Release.version))
  }

  @Test(.enabled(if: versionToWrite == nil), arguments: versions)
  func `an older state folder is brought up to date, and the next run gives the facts of one run`(
    version: String
  ) throws {
    let upgraded = try ReleasedStore(version)
    try upgraded.restoreDatabases()
    #expect(try upgraded.ending("verify").status == 0, "\(version): nothing is damaged")
    try upgraded.export(.newest)
    let ending = try upgraded.ending("run")
    #expect(ending.status == 0, "\(ending.errors)")

    let fresh = try ReleasedStore(version)
    try fresh.export(.newest)
    #expect(try fresh.ending("run").status == 0)

    #expect(try upgraded.digest() == fresh.digest())
    #expect(try upgraded.runs() == fresh.runs() + 1, "the run of the older program is kept")
    for database in ReleasedStore.databases {
      let schema = try upgraded.schema(of: database)
      #expect(schema.count > 10)
      #expect(try schema == fresh.schema(of: database), "\(database): a changed schema is a step")
    }
  }

  @Test(.enabled(if: versionToWrite != nil))
  func `the files of the next release are written`() throws {
    let store = try ReleasedStore(try #require(Self.versionToWrite))
    #expect(try store.ending("run").status == 0)
    try store.keepDatabases()
  }
}
