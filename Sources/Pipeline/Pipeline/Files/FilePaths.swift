internal import SystemPackage

package enum FilePaths {
  /// The folder of a path.
  ///
  /// Examples: `Pipelines` for `Pipelines/nightly.yaml`, `.` for `nightly.yaml`.
  package static func folder(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
  }

  /// Resolves a path relative to a folder; absolute paths stay unchanged.
  ///
  /// Example: `../var/state.db` relative to `Pipelines` is `var/state.db`. If `Pipelines` is a
  /// symbolic link, the result is `Pipelines/../var/state.db`, because `..` then means the parent
  /// of the folder behind the link.
  static func resolve(_ path: String, in folder: String) -> String {
    let path = FilePath(path)
    if path.isAbsolute { return path.string }
    return folded(path, onto: folder == "." ? FilePath("") : FilePath(folder)) { $0 }
  }

  /// Returns a relative path, as written in a folder, without `.` and without needless `..`.
  ///
  /// Unlike ``resolve(_:in:)``, the result does not depend on how the folder itself is named.
  ///
  /// Example: `../x` for `./../y/../x`, or `../y/../x` if `y` is a symbolic link.
  static func named(_ path: String, in folder: String) -> String {
    folded(FilePath(path), onto: FilePath("")) { join(folder, $0) }
  }

  /// Appends a relative path to another one, without `.` and without needless `..`.
  ///
  /// - Parameter place: Returns where a part of the result is, so that links can be respected.
  private static func folded(
    _ path: FilePath, onto start: FilePath, place: (String) -> String
  ) -> String {
    var folded = start
    for component in path.components {
      switch component.kind {
      case .currentDirectory: continue
      case .parentDirectory where folded.lastComponent?.kind == .regular:
        if PathStatus.isSymbolicLink(place(folded.string)) {
          folded.append(component)
        } else {
          folded.removeLastComponent()
        }
      default: folded.append(component)
      }
    }
    return folded.isEmpty ? "." : folded.string
  }

  /// Returns an absolute path as it is named in a folder above it; unchanged for other folders.
  ///
  /// Example: `in/a.gz` for `/srv/shop/in/a.gz` in a folder that is `/srv/shop`.
  static func relative(_ path: String, to folder: String) -> String {
    guard let root = RealPath.of(folder), root != "/" else { return path }
    if path == root { return "." }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  /// Removes `.` and `..` from a path, without reading the file system.
  static func normalized(_ path: String) -> String {
    FilePath(path).lexicallyNormalized().string
  }

  /// Returns the path of the file with a name in a folder.
  ///
  /// Example: `var` and `state.db` → `var/state.db`.
  package static func join(_ folder: String, _ name: String) -> String {
    folder == "." || folder.isEmpty ? name : FilePath(folder).appending(name).string
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    FilePath(path).lastComponent?.string ?? path
  }

  /// The last component of a path without its extension.
  ///
  /// Example: `warehouse` for `var/warehouse.db`.
  package static func stem(of path: String) -> String {
    FilePath(path).stem ?? name(of: path)
  }
}
