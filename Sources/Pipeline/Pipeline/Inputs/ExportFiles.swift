package import Diagnostics

/// The files with one name pattern among the arguments of `paidline init --from`.
///
/// Example: `sales-2024-05-01.txt` and `sales-2024-05-02.txt` in a folder are two files of one
/// pattern, `sales-{date}.txt`.
package struct ExportFiles: Hashable {
  /// The matching file whose path sorts last; its content is examined.
  package var path: String
  /// The number of files that match the pattern.
  package var count: Int

  /// Groups the files at some paths by the pattern that a pipeline file would name.
  ///
  /// For a folder, all files in it and in its subfolders are included. Names that begin with a dot
  /// are left out.
  ///
  /// - Returns: One entry for each pattern, in the order of the paths.
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

  /// Replaces the day in the last component of a path by `{date}`.
  ///
  /// A name without a day, or with several, stays unchanged. Example: Apple's
  /// `S_D_1_80012345_20240501.txt` → `S_D_1_80012345_{date}.txt`.
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
