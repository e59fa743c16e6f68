internal import Diagnostics

/// What one gate found in one night, before anybody has judged it.
struct GateFinding: Hashable {
  /// One thing that was found: a row of `audit_gate`.
  struct Item: Hashable {
    /// What it is about: a file, a kind and day, a product.
    var subject: String
    var found: String
    var expected: String
  }

  /// How long a finding is worth a word.
  enum Duration: Hashable {
    /// It is about what this night brought, and always told.
    case news
    /// It stands until somebody mends it: told the first night and then every week.
    case standing
    /// It stands, and nobody need hear of it twice.
    case onceForAll
  }

  /// The gate.
  var gate: Gate
  /// What was found, at least one thing.
  var items: [Item]
  /// Whether the gate trips; a finding below its limit is a warning at most.
  var trips = true
  /// What is found, where, and what was expected: one or more lines.
  var message: String
  /// What to do about it, as sentences.
  var remedy = ""
  /// Where the rows can be seen.
  var query: GateQuery?
  /// The page of the documentation that has more words.
  var page: DocsPage?
  /// How long it is worth a word.
  var duration = Duration.news
  /// What alone tells this message from others like it, so that many can be said as one.
  var entry: String?
  /// What it is, the same every night; the gate and its subjects where nothing else is said.
  var fault: String

  /// Describes a finding.
  init(_ gate: Gate, _ items: [Item], message: String, fault: String? = nil) {
    self.gate = gate
    self.items = items
    self.message = message
    self.fault = fault ?? "\(gate.rawValue) \(items.map(\.subject).joined(separator: ", "))"
  }

  /// The whole text for an operator: what, where, the way to fix it, the rows, the page.
  ///
  /// - Parameter isStop: Whether the night stops, so that a way out has to be named.
  /// - Returns: One or more lines.
  func text(isStop: Bool) -> String {
    var text = message
    if !remedy.isEmpty || isStop {
      let accept =
        isStop && gate != .dataTest
        ? "If it is right as it is, accept it for one run with --accept \(gate.rawValue)." : ""
      text += "\n" + [remedy, accept].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if isStop, let query { text += "\n" + query.text }
    if let page { text += (text.contains("\n") ? "\n" : " ") + page.reference }
    return text
  }
}

extension FaultTelling.Found {
  /// A finding that the night publishes with.
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
