internal import Diagnostics
internal import ExportReading

/// Suggests a similar path of a record if the record lacks a path that the pipeline names.
///
/// Example: a pipeline entry has `product_id: event_properties.$productID`, but line 1 has the path
/// `event_properties.$productId`. Then the detail of the reject ends with "; line 1 has
/// event_properties.$productId". Only similar paths are shown, because a key in a record may be a
/// customer's id.
enum NearestPath {
  /// Returns the rejects of a file, with the suggestions at the end of their details.
  static func rejects(of content: ExportContent) -> [Reject] {
    let previews = content.previews.filter { !$0.paths.isEmpty }
    guard !previews.isEmpty else { return content.rejects }
    struct Finding: Hashable {
      var reason: RejectReason
      var detail: String
    }
    var advice: [Finding: String] = [:]
    for preview in previews {
      for reject in content.rejects.prefix(100) where reject.line == preview.line {
        let finding = Finding(reason: reject.reason, detail: reject.detail)
        guard advice[finding] == nil, let path = near(reject, preview.paths) else { continue }
        advice[finding] = "; line \(preview.line) has \(OneLine.text(path))"
      }
    }
    return content.rejects.map { reject in
      let finding = Finding(reason: reject.reason, detail: reject.detail)
      return Reject(
        line: reject.line, reason: reject.reason, detail: reject.detail + (advice[finding] ?? ""))
    }
  }

  private static let reasons: Set<RejectReason> = [
    .priceWithoutProduct, .priceWithoutCurrency, .priceWithoutPrice, .priceWithoutTime,
  ]

  /// Finds a path of a record that is similar to a missing path; `nil` if none is similar.
  ///
  /// The missing path is in the detail of the reject; several missing paths are in parentheses.
  private static func near(_ reject: Reject, _ paths: [String]) -> String? {
    guard reasons.contains(reject.reason) || reject.detail.contains("no value at ") else {
      return nil
    }
    let parts = reject.detail.prefix { $0 != ")" }.split(separator: "(", maxSplits: 1)
    guard let name = parts.first?.split(separator: " ").last else { return nil }
    let wanted =
      parts.count > 1
      ? parts[1].split(separator: ",").map { $0.trimmingPrefix(" ") } : [name]
    // A path to an object is a beginning of the paths to its values.
    let candidates = paths + paths.flatMap(beginnings)
    for path in wanted.map(String.init) where !candidates.contains(path) {
      if let near = NearestWord.suggestion(for: path, among: candidates) { return near }
    }
    let names = Set(wanted.map { lastName(String($0)) })
    return paths.first { names.contains(lastName($0)) && !wanted.contains(Substring($0)) }
  }

  /// Returns the paths of the objects that contain a value: `a.b` and `a` for `a.b.c`.
  private static func beginnings(_ path: String) -> [String] {
    let names = path.split(separator: ".")
    return (1..<max(1, names.count)).reversed().map { names.prefix($0).joined(separator: ".") }
  }

  private static func lastName(_ path: String) -> String {
    path.split(separator: ".").last.map { $0.lowercased() } ?? ""
  }
}
