internal import CivilTime
package import Diagnostics
package import Logging
internal import Synchronization

/// The format of log lines on standard error.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
  /// For people.
  case human
  /// One JSON object a line.
  case json
}

/// From which level on log lines are written.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
  case debug, info, notice, warning, error

  /// The same for swift-log.
  package var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}

/// Writes log lines to standard error: places, counts and durations, never a customer's data.
///
/// The metadata `event` names the kind of a message for machines, the same in every version; a
/// message without it has its level's name.
struct RunLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let label: String
  let format: LogFormat
  let hasColor: Bool
  /// Whether lines begin with the time, as they must in a file.
  let hasTime: Bool

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var all = metadata.merging(event.metadata ?? [:]) { $1 }
    let name = all.removeValue(forKey: "event").map { "\($0)" } ?? event.level.rawValue
    let values = all.sorted { $0.key < $1.key }
    let line =
      switch format {
      case .human: human(event.level, "\(event.message)")
      case .json: json(event.level, name, "\(event.message)", values)
      }
    StandardError.write(line + "\n")
  }

  /// The stage that an executable is: `ingest` for `paidline-ingest`, `run` for the runner.
  private static func stage(_ label: String) -> String {
    label == "paidline" ? "run" : String(label.split(separator: "-").last ?? "run")
  }

  /// A moment in UTC with milliseconds.
  private static func text(_ time: Instant) -> String {
    let fraction = String((time.milliseconds % 1000 + 1000) % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    return "\(time.text.prefix(19)).\(zeros)\(fraction)Z"
  }

  /// A line for people: the message is complete, and the numbers are as JSON.
  private func human(_ level: Logger.Level, _ message: String) -> String {
    var line = RunLog.prefix(label, hasTime: hasTime)
    if level >= .warning {
      let color = level >= .error ? "\u{1B}[31m" : "\u{1B}[33m"
      line += hasColor ? "\(color)\(level)\u{1B}[0m: " : "\(level): "
    }
    return line + OneLine.lines(message)
  }

  private func json(
    _ level: Logger.Level, _ event: String, _ message: String,
    _ values: [(key: String, value: Logger.MetadataValue)]
  ) -> String {
    var members: [JSONText.Member] = [
      .init("ts", .text(Self.text(SystemClock.now))), .init("level", .text(level.rawValue)),
    ]
    if let run = RunLog.currentRun { members.append(.init("run_id", .number(run))) }
    members += [
      .init("stage", .text(Self.stage(label))),
      .init("event", .text(event)), .init("message", .text(message)),
    ]
    for (key, value) in values {
      let text = "\(value)"
      members.append(.init(key, Int64(text).map(JSONText.number) ?? .text(text)))
    }
    return JSONText.object(members).line
  }
}

/// The log of one command.
package enum RunLog {
  private static let run = Mutex<Int64?>(nil)

  /// The run that this process works on, for the log; `nil` before the ledger has given a number.
  static var currentRun: Int64? {
    get { run.withLock { $0 } }
    set { run.withLock { $0 = newValue } }
  }

  /// The beginning of a line for people: the time unless on a terminal, and the program.
  ///
  /// Example: `2026-11-23T03:15:02Z paidline-ingest: `.
  package static func prefix(_ label: String, hasTime: Bool) -> String {
    (hasTime ? "\(SystemClock.now.text) " : "") + "\(label): "
  }

  /// A logger that is quiet off the terminal while all is well.
  ///
  /// - Parameters:
  ///   - label: the command's name.
  ///   - format: how lines are written.
  ///   - level: from which level on; `nil` for notices on a terminal and warnings elsewhere.
  /// - Returns: the logger.
  package static func logger(_ label: String, format: LogFormat, level: Logger.Level?) -> Logger {
    let level = level ?? (Terminal.isError ? .notice : .warning)
    let hasColor = Terminal.hasColor
    return Logger(label: label) { label in
      RunLogHandler(
        logLevel: level, label: label, format: format, hasColor: hasColor,
        hasTime: !Terminal.isError)
    }
  }

  /// Writes the last line of a command that failed, in the format of its arguments.
  package static func writeEnd(_ failure: RunFailure, of name: String) {
    guard !failure.message.isEmpty else { return }
    guard isJSON(CommandLine.arguments) else {
      return StandardError.write(prefix(name, hasTime: !Terminal.isError) + failure.message + "\n")
    }
    logger(name, format: .json, level: nil).error(
      "\(failure.message)",
      metadata: ["event": "failed", "exit_status": "\(failure.status.rawValue)"])
  }

  private static func isJSON(_ arguments: [String]) -> Bool {
    arguments.contains("--log-format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--log-format" && $1 == "json" }
  }
}
