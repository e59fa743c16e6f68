internal import Diagnostics

/// The finding of one gate in one run, before it is checked.
struct GateFinding: Hashable {
  /// One thing that was found: a row of `audit_gate`.
  struct Item: Hashable {
    /// The subject: a file, a kind and day, a product.
    var subject: String
    var found: String
    var expected: String
  }

  /// The period during which a finding is reported.
  enum Duration: Hashable {
    /// A fault of this run, reported every time it is found.
    case transient
    /// It lasts until it is fixed: printed by the first run, then weekly.
    case standing
    /// It lasts, and is reported only once.
    case onceForAll
  }

  var gate: Gate
  /// The items that were found, at least one.
  var items: [Item]
  /// Whether the gate trips; a finding below its limit is a warning at most.
  var trips = true
  /// The found value, its place, and the expected one: one or more lines.
  var message: String
  /// The remedy, as sentences.
  var remedy = ""
  /// A query that shows the rows.
  var query: GateQuery?
  /// The page of the documentation that has more words.
  var page: DocsPage?
  /// The period during which it is reported.
  var duration = Duration.transient
  /// The part that differs from other messages of its kind, so that many can be reported in one
  /// message.
  var entry: String?
  /// The identity of the fault, the same in every run; by default the gate and its subjects.
  var fault: String

  /// Creates a finding from its fields.
  init(_ gate: Gate, _ items: [Item], message: String, fault: String? = nil) {
    self.gate = gate
    self.items = items
    self.message = message
    self.fault = fault ?? "\(gate.rawValue) \(items.map(\.subject).joined(separator: ", "))"
  }

  /// The whole text for an operator: the finding, its place, the remedy, the rows, the page.
  ///
  /// - Parameter isStop: Whether the run stops; then the text ends with the way out.
  /// - Returns: One or more lines.
  func text(isStop: Bool) -> String {
    var text = message
    if !remedy.isEmpty || isStop {
      let accept =
        isStop && gate != .dataTest
        ? "If this is correct, accept it for one run with --accept \(gate.rawValue)." : ""
      text += "\n" + [remedy, accept].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if isStop, let query { text += "\n" + query.text }
    if let page { text += (text.contains("\n") ? "\n" : " ") + page.reference }
    return text
  }
}

extension WarningThrottle.Found {
  /// A finding that the run publishes with.
  init(_ finding: GateFinding) {
    self.init(
      fault: finding.fault, message: finding.text(isStop: false), duration: finding.duration,
      entry: finding.entry)
  }
}

/// A query that shows the rows behind a finding.
struct GateQuery: Hashable {
  /// The database it runs on.
  var database: String
  /// One statement on one line.
  var sql: String

  /// Both, as a message shows them.
  var text: String { "The rows, in \(OneLine.text(database)):\n  \(sql)" }
}
