internal import SharedTables
internal import PurchaseModel

/// Finds the files to mark as superseded, and the superseded files to restore.
///
/// A file is superseded if its path now has other content. It is restored if any path has its
/// content again.
///
/// Three kinds of files can become superseded: refused files and held files, on which the operator
/// need not act any more, and used reports of Apple. If Apple issues the report of a day again, the
/// new report replaces the earlier report. A report in use stays in use until a readable report is
/// at its path: a truncated file, which is refused, takes nothing away.
enum SupersededFiles {
  /// Finds the files that are now superseded, and the superseded files that are at a path again.
  static func changes(
    _ files: [StoredFile], places: [(path: String, identity: InputIdentity)],
    standing: Set<InputIdentity>
  ) -> (superseded: [Int64], back: [Int64]) {
    let back = files.filter { $0.status == .superseded && standing.contains($0.identity) }
    let used = Set(files.filter { $0.status == .used }.map(\.identity))
    let gone = files.filter { file in
      (file.status == .refused || file.status == .held
        || (file.status == .used && file.kind == .appleReports))
        && !standing.contains(file.identity)
        && places.contains { place in
          place.identity.kind == file.kind && isSamePlace(place.path, file.name)
            && (file.status != .used || used.contains(place.identity))
        }
    }
    return (gone.map(\.id), back.map(\.id))
  }

  /// Returns true if two names of input files, both from the pipeline's folder, mean the same file.
  static func isSamePlace(_ left: String, _ right: String) -> Bool {
    FilePaths.normalized(left) == FilePaths.normalized(right)
  }
}
