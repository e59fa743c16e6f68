internal import SharedTables
internal import StateStore
internal import Diagnostics

/// Rejects of some files, for messages: the first reject of each reason, with advice.
struct RejectExamples {
  /// A reason with its first reject and its number of rejects.
  struct Line: Hashable {
    var reasonCode: String
    /// The file and line of the first reject.
    var place: String
    var detail: String
    var count: Int
  }

  /// A function that returns the rejects of some files.
  typealias Source = (_ files: [StoredFile]) throws(RunFailure) -> RejectExamples

  /// The largest number of reasons in a message.
  static let shown = 3

  private var byReason: [String: Line] = [:]

  /// The reasons, the most frequent first.
  var lines: [Line] {
    byReason.values.sorted { ($1.count, $0.reasonCode) < ($0.count, $1.reasonCode) }
  }

  /// Adds a reject; the message shows the first reject for each reason.
  mutating func add(_ reject: StoredReject, ofFile name: String) {
    byReason[
      reject.reasonCode,
      default: Line(
        reasonCode: reject.reasonCode, place: "\(OneLine.text(name)):\(reject.line)",
        detail: OneLine.text(reject.detail), count: 0)
    ].count += 1
  }

  /// Reads the rejects of some files.
  static func read(of files: [StoredFile], in state: StateDatabase) throws(RunFailure)
    -> RejectExamples
  {
    let names = Dictionary(uniqueKeysWithValues: files.map { ($0.id, $0.name) })
    var examples = RejectExamples()
    for reject in try state.rejects(ofFiles: files.map(\.id)) {
      if let name = names[reject.fileID] { examples.add(reject, ofFile: name) }
    }
    return examples
  }

  /// The reasons as indented paragraphs.
  var text: String {
    var text = lines.prefix(Self.shown).map { line in
      let first = "  \(line.place): \(line.reasonCode), \(line.detail)"
      let advice = RejectReason(rawValue: line.reasonCode)?.advice
      let often = line.count > 1 ? "\(line.count) times" : nil
      let second = [often, advice].compactMap(\.self).joined(separator: "; ")
      return second.isEmpty ? first : first + "\n    \(second)"
    }
    let hidden = lines.count - Self.shown
    if hidden > 0 { text.append("  and \(Count.text(hidden, "more reason"))") }
    return text.joined(separator: "\n")
  }
}
