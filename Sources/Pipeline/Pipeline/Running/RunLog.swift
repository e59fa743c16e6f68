internal import CivilTime
package import Diagnostics
package import Logging
internal import Synchronization

/// The format of log lines on standard error.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
  /// One readable line of text per message.
  case human
  /// One JSON object per line.
  case json
}

/// The lowest level of log lines that are written.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
  case debug, info, notice, warning, error

  /// The corresponding level of swift-log.
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

/// Writes log lines to standard error: file names, counts and durations, never a customer's data.
///
/// In JSON, the key `event` has the kind of the message. Programs can rely on the kind in all
/// versions. For a message without a kind, `event` has the level of the message.
struct RunLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let label: String
  let format: LogFormat
  let hasColor: Bool
  /// Whether each line begins with the time: true if standard error is not a terminal.
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
    let isShort = format == .human && logLevel >= .notice
    guard let text = isShort ? ShownLines.log(line) : line else { return }
    StandardError.write(text + "\n")
  }

  /// The name of a stage for its executable: `ingest` for `paidline-ingest`, `run` for `paidline`.
  private static func stage(_ label: String) -> String {
    label == "paidline" ? "run" : String(label.split(separator: "-").last ?? "run")
  }

  /// Formats a time in UTC, with milliseconds.
  private static func text(_ time: Instant) -> String {
    let fraction = String((time.milliseconds % 1000 + 1000) % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    return "\(time.text.prefix(19)).\(zeros)\(fraction)Z"
  }

  /// Formats a message as a line for people.
  ///
  /// It leaves out the metadata, because the message already contains all values.
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

/// Writes the log of one command.
package enum RunLog {
  private static let run = Mutex<Int64?>(nil)

  /// The number of the current run, for log lines; `nil` before the ledger has assigned it.
  static var currentRun: Int64? {
    get { run.withLock { $0 } }
    set { run.withLock { $0 = newValue } }
  }

  /// The start of a line for people: the name of the program, after the time if `hasTime` is true.
  ///
  /// Example: `2026-11-23T03:15:02Z paidline-ingest: `.
  package static func prefix(_ label: String, hasTime: Bool) -> String {
    (hasTime ? "\(SystemClock.now.text) " : "") + "\(label): "
  }

  /// Creates the logger of a command.
  ///
  /// - Parameters:
  ///   - level: The lowest level to write. `nil` for notices if standard error is a terminal, and
  ///     for warnings if it is a file or pipe.
  package static func logger(_ label: String, format: LogFormat, level: Logger.Level?) -> Logger {
    let level = level ?? (Terminal.isError ? .notice : .warning)
    let hasColor = Terminal.hasColor
    return Logger(label: label) { label in
      RunLogHandler(
        logLevel: level, label: label, format: format, hasColor: hasColor,
        hasTime: !Terminal.isError)
    }
  }

  /// Writes the last line of a command that failed, as text or as JSON.
  ///
  /// It is JSON if the arguments of the command contain `--log-format json`.
  package static func writeEnd(_ failure: RunFailure, of name: String) {
    guard !failure.message.isEmpty else { return }
    guard isJSON(CommandLine.arguments) else {
      let text = prefix(name, hasTime: !Terminal.isError) + failure.message
      return StandardError.write(ShownLines.end(text) + "\n")
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
