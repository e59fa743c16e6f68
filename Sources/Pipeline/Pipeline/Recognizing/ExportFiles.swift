package import Diagnostics

/// The files with one pattern among the arguments of `paidline init --from`.
///
/// Example: `sales-2024-05-01.txt` and `sales-2024-05-02.txt` in a folder are two files of one
/// pattern, `sales-{date}.txt`.
package struct ExportFiles: Hashable {
  /// The paths of the matching files, sorted.
  package var paths: [String]
  /// The pattern for these files and for the exports to come.
  package var pattern: String
  /// The pattern of all files in the same folder with the same ending, such as `exports/*.json`.
  var bucket: String

  /// The file whose path sorts last; its content is examined.
  package var path: String { paths.last ?? "" }

  /// Groups the files at some paths by the pattern that a pipeline file would name.
  ///
  /// For a folder, all files in it and in its subfolders are included. Names that begin with a dot
  /// are left out.
  ///
  /// - Returns: One entry for each pattern, in the order of the paths.
  package static func of(_ paths: [String]) throws(RunFailure) -> [ExportFiles] {
    var groups: [(shapes: [PathShape], paths: [String])] = []
    var places: [String: Int] = [:]
    var seen: Set<String> = []
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
      for file in files where seen.insert(file).inserted {
        let root = kind == .folder && path != "." ? path : ""
        let shape = PathShape(file, below: root.hasSuffix("/") ? String(root.dropLast()) : root)
        let place = places[shape.key] ?? groups.count
        if place == groups.count { groups.append(([], [])) }
        places[shape.key] = place
        groups[place].shapes.append(shape)
        groups[place].paths.append(file)
      }
    }
    return groups.map { group in
      ExportFiles(
        paths: group.paths.sorted(), pattern: PathShape.pattern(of: group.shapes),
        bucket: group.shapes[0].bucket)
    }
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
}
