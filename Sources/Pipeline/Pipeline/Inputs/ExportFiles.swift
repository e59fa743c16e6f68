package import Diagnostics

/// The files in the arguments of `paidline init --from`, grouped by pattern.
///
/// Example: `sales-2024-05-01.txt` and `sales-2024-05-02.txt` in a folder are two files of one
/// pattern, `sales-{date}.txt`.
package struct ExportFiles: Hashable {
  /// The newest file of the pattern, by name.
  ///
  /// Its content is examined.
  package var path: String
  /// The number of files of the pattern.
  package var count: Int

  /// Lists the files at some paths.
  ///
  /// For a folder, lists all files in it and in its subfolders.
  ///
  /// Names that begin with a dot are left out.
  ///
  /// - Returns: The patterns in the order of the paths.
  /// - Throws: ``RunFailure`` for a path that does not exist, and for a folder without a file.
  package static func of(_ paths: [String]) throws(RunFailure) -> [ExportFiles] {
    var found: [ExportFiles] = []
    var places: [String: Int] = [:]
    for path in paths {
      guard let kind = try? PathStatus(at: path).kind else {
        throw RunFailure(
          .inputMissing, "\(OneLine.text(path)): there is no such file or folder; correct the path")
      }
      let files = kind == .folder ? try files(below: path) : [path]
      guard !files.isEmpty else {
        throw RunFailure(
          .inputMissing,
          "\(OneLine.text(path)): the folder holds no file; name a folder with exports")
      }
      for file in files {
        let pattern = dated(file)
        if let place = places[pattern] {
          found[place].count += 1
          if found[place].path < file { found[place].path = file }
        } else {
          places[pattern] = found.count
          found.append(ExportFiles(path: file, count: 1))
        }
      }
    }
    return found
  }

  private static func files(below folder: String) throws(RunFailure) -> [String] {
    var files: [String] = []
    for name in try FolderListing.names(in: folder) where !name.hasPrefix(".") {
      let path = FilePaths.join(folder, name)
      switch try? PathStatus(at: path).kind {
      case .folder: files += try Self.files(below: path)
      case .regular: files.append(path)
      default: continue
      }
    }
    return files
  }

  /// A path with `{date}` in place of the one day in its last name.
  ///
  /// Example: Apple's `S_D_1_80012345_20240501.txt` → `S_D_1_80012345_{date}.txt`.
  static func dated(_ path: String) -> String {
    let name = FilePaths.name(of: path)
    let days = name.matches(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}/).filter { match in
      NamePattern(dated(name, at: match.range)).match(name) != nil
    }
    guard days.count == 1, let day = days.first else { return path }
    return String(path.dropLast(name.count)) + dated(name, at: day.range)
  }

  private static func dated(_ name: String, at day: Range<String.Index>) -> String {
    "\(name[..<day.lowerBound]){date}\(name[day.upperBound...])"
  }
}
