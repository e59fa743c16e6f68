internal import Diagnostics

/// Metrics in Prometheus' text format, for the node exporter's textfile collector.
struct MetricsText {
  private(set) var text = ""
  private let labels: [(name: String, value: String)]

  /// Begins a text; every sample in it gets these labels.
  init(labels: [(name: String, value: String)]) {
    self.labels = labels
  }

  /// Adds a metric with one sample.
  mutating func gauge(_ name: String, _ help: String, _ value: MetricValue) {
    gauge(name, help, by: nil, [("", value)])
  }

  /// Adds a metric with one sample for each value of an additional label, such as `stage`.
  mutating func gauge(
    _ name: String, _ help: String, by label: String?, _ samples: [(label: String, MetricValue)]
  ) {
    text += "# HELP \(name) \(Self.escaped(help, isQuoted: false))\n# TYPE \(name) gauge\n"
    for (value, number) in samples {
      let labels = self.labels + (label.map { [(name: $0, value: value)] } ?? [])
      let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, isQuoted: true))\"" }
      text += name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(number.text)\n"
    }
  }

  private static func escaped(_ text: String, isQuoted: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where isQuoted: escaped += "\\\""
      // Prometheus knows no other escape: the label says which character was there.
      case _ where OneLine.isControl(character):
        escaped += "\\\\u{" + String(character.value, radix: 16) + "}"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

/// The value of a sample, written without floating point.
enum MetricValue: Hashable {
  /// A whole number: a count, or seconds.
  case whole(Int64)
  /// A number of thousandths, such as milliseconds for a metric in seconds.
  case thousandths(Int64)
  /// A number of hundredths of a percent, for a metric that is a ratio: 250 → `0.0250`.
  case basisPoints(Int64)

  var text: String {
    switch self {
    case .whole(let number): String(number)
    case .thousandths(let number): Self.decimal(number, digits: 3)
    case .basisPoints(let number): Self.decimal(number, digits: 4)
    }
  }

  private static func decimal(_ number: Int64, digits: Int) -> String {
    let unit = (0..<digits).reduce(Int64(1)) { unit, _ in unit * 10 }
    let fraction = String((number.magnitude % UInt64(unit)))
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return (number < 0 ? "-" : "") + "\(number.magnitude / UInt64(unit)).\(zeros)\(fraction)"
  }
}
