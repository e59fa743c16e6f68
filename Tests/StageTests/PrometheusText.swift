internal import Testing

/// A strict reader of Prometheus' text format, version 0.0.4.
///
/// Promtool accepts every text that this reader accepts.
struct PrometheusText {
  /// The samples, keyed by name and labels as written.
  private(set) var samples: [String: Double] = [:]
  /// The faults, one per line.
  private(set) var faults: [String] = []

  init(_ text: String) {
    if !text.hasSuffix("\n") { faults.append("the last line does not end") }
    var open: String?
    var described: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if words.starts(with: ["#", "HELP"]), words.count == 4 {
        open = String(words[2])
        if !described.insert(String(words[2])).inserted { faults.append("twice: \(line)") }
        if !Self.isName(words[2]) { faults.append("no name: \(line)") }
      } else if words.starts(with: ["#", "TYPE"]), words.count == 4 {
        if open != String(words[2]) { faults.append("no HELP before: \(line)") }
        if words[3] != "gauge" { faults.append("unknown type: \(line)") }
      } else {
        sample(line, open: open)
      }
    }
  }

  /// The sample of a series; `nil` if there is none.
  subscript(series: String) -> Double? { samples[series] }

  private mutating func sample(_ line: Substring, open: String?) {
    guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...])
    else { return faults.append("no number: \(line)") }
    let series = String(line[..<space])
    if samples.updateValue(value, forKey: series) != nil { faults.append("twice: \(line)") }
    let name = series.prefix { $0 != "{" }
    if String(name) != open { faults.append("not under its TYPE: \(line)") }
    guard name.endIndex < series.endIndex else { return }
    var rest = series[name.endIndex...].dropFirst()
    while true {
      let label = rest.prefix { $0 != "=" }
      rest = rest[label.endIndex...]
      guard Self.isName(label), rest.hasPrefix("=\"") else {
        return faults.append("label: \(line)")
      }
      rest = rest.dropFirst(2)
      while let character = rest.first, character != "\"" {
        rest = rest.dropFirst()
        guard character == "\\" else { continue }
        guard let next = rest.first, "\\\"n".contains(next) else {
          return faults.append("escape: \(line)")
        }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst()
      if rest == "}" { return }
      guard rest.first == "," else { return faults.append("labels: \(line)") }
      rest = rest.dropFirst()
    }
  }

  private static func isName(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
        || $0 == 0x5F
    }
  }
}
