internal import Diagnostics

/// The finding of a gate in a run, before it is decided whether the finding stops the run.
struct GateFinding: Hashable {
  /// One item of the finding, such as one file: a row of `audit_gate`.
  struct Item: Hashable {
    /// The subject, such as a file, a product, or a kind of export and a day.
    var subject: String
    var found: String
    var expected: String
  }

  /// The expected duration of a fault, which determines how often its message is printed.
  enum Duration: Hashable {
    /// A fault of this run only; every run that finds the fault prints a message.
    case transient
    /// A standing fault; it is printed by the first run, and then weekly until it is fixed.
    case standing
    /// A standing fault that is printed only once.
    case onceForAll
  }

  var gate: Gate
  /// The items that were found; never empty.
  var items: [Item]
  /// Whether the finding exceeds the limit of the gate.
  ///
  /// Below the limit it is at most a warning.
  var trips = true
  /// The fault, the place where it was found, and the expected content; one or more lines of text.
  var message: String
  /// The way to fix the fault, as complete sentences; empty for none.
  var remedy = ""
  var query: GateQuery?
  var page: DocsPage?
  var duration = Duration.transient
  /// The part of the message that differs from other messages of its kind.
  ///
  /// Findings that differ only in this part are merged into one message. Example: `2021-02-04` in
  /// `no receipts for 2021-02-04, though there are exports before and after.`
  var entry: String?
  /// The identity of the fault, equal in every run.
  ///
  /// By default it is the gate and its subjects.
  var fault: String

  init(_ gate: Gate, _ items: [Item], message: String, fault: String? = nil) {
    self.gate = gate
    self.items = items
    self.message = message
    self.fault = fault ?? "\(gate.rawValue) \(items.map(\.subject).joined(separator: ", "))"
  }

  /// Formats the complete text for an operator: finding, remedy, query for the rows, and page.
  ///
  /// - Parameter isStop: Whether the run stops. If so, the text ends with instructions for
  ///   continuing.
  func text(isStop: Bool) -> String {
    var text = message
    if !remedy.isEmpty || isStop {
      let accept =
        isStop && gate != .dataTest
        ? "If these data are right, accept them for one run with --accept \(gate.rawValue)." : ""
      text += "\n" + [remedy, accept].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if isStop, let query { text += "\n" + query.text }
    if let page { text += (text.contains("\n") ? "\n" : " ") + page.reference }
    return text
  }
}

extension WarningThrottle.Found {
  /// Creates the fault for a finding that does not stop the run.
  init(_ finding: GateFinding) {
    self.init(
      fault: finding.fault, message: finding.text(isStop: false), duration: finding.duration,
      entry: finding.entry)
  }
}

/// A query that shows the rows behind a finding.
struct GateQuery: Hashable {
  /// The path of the database for the query.
  var database: String
  /// The SQL statement, on one line.
  var sql: String

  /// The database and the statement, as in messages.
  var text: String { "To list the rows, in \(OneLine.text(database)):\n  \(sql)" }
}
