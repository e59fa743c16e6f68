internal import Diagnostics
internal import SharedTables

/// Groups the files of one pipeline entry, so that a message names the entry once.
///
/// Example: `516 files of ../s3/*/*.gz, ../s3/a/1.gz the first,` instead of 516 messages.
struct EntryGroups {
  /// The pipeline with the entries; `nil` to treat every file as an entry of its own.
  var definition: PipelineDefinition?

  /// The pattern of a file's entry; the file's name if no entry matches.
  func entry(of file: StoredFile) -> String {
    definition?.entry(of: file.name, kind: file.kind)?.text ?? file.name
  }

  /// The path of a file from the working directory.
  func place(of file: StoredFile) -> String {
    definition?.place(of: file.name) ?? file.name
  }

  /// Groups elements with equal keys, in the order of the first element of each group.
  static func grouped<Element>(_ elements: [Element], by key: (Element) -> String) -> [[Element]] {
    var groups: [[Element]] = []
    var places: [String: Int] = [:]
    for element in elements {
      let place = places[key(element)] ?? groups.count
      if place == groups.count { groups.append([]) }
      places[key(element)] = place
      groups[place].append(element)
    }
    return groups
  }

  /// The name of a file, or the number of files of an entry with the name of the first.
  static func subject(_ name: String, count: Int, entry: String) -> String {
    count == 1 ? name : "\(count) files of \(OneLine.text(entry)), \(name) the first,"
  }
}
