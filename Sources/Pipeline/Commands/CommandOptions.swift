internal import ArgumentParser
internal import CivilTime
internal import Diagnostics
internal import Logging
internal import Pipeline

/// The argument for the pipeline file.
struct PipelineArgument: ParsableArguments {
  /// The default path of the pipeline file, in the working directory.
  static let standard = "pipeline.yaml"

  @Argument(
    help: ArgumentHelp("The pipeline file.", valueName: "pipeline"),
    completion: .file(extensions: ["yaml", "yml"]))
  var path: String = PipelineArgument.standard

  func read() throws(RunFailure) -> PipelineDefinition { try Self.read(path) }

  static func read(_ path: String) throws(RunFailure) -> PipelineDefinition {
    guard path != standard || PathStatus.exists(path) else {
      throw RunFailure(
        .inputMissing,
        "there is no \(standard) in this folder: name a pipeline file, or write one with "
          + "`paidline init .`")
    }
    return try PipelineDefinition.read(path: path)
  }
}

/// The options for log lines.
struct LogOptions: ParsableArguments {
  @Option(help: "Format of messages on standard error: human or json.")
  var logFormat: LogFormat = .human

  @Option(
    help: ArgumentHelp(
      "Lowest level to print: debug, info, notice, warning or error.",
      discussion: "Default: notice on a terminal, else warning."))
  var logLevel: LogLevel?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more: the same as --log-level info.")
  var verbose = false

  func validate() throws {
    guard [logLevel != nil, quiet, verbose].count(where: \.self) <= 1 else {
      throw ValidationError("give only one of --log-level, --quiet and --verbose.")
    }
  }

  /// The least severe level of messages to write; `nil` if no option determines the level.
  private var level: LogLevel? { quiet ? .error : verbose ? .info : logLevel }

  func logger(_ label: String) -> Logger {
    RunLog.logger(label, format: logFormat, level: level?.level)
  }
}

/// The option for the time to wait for another process that holds the lock.
struct WaitOption: ParsableArguments {
  private static let number = BoundedNumber(
    range: 0...86_400, noun: "a number of seconds", example: "--wait 600")

  @Option(
    name: .customLong("wait"),
    help: ArgumentHelp(
      "Wait up to this long for another run to end; 0 if not given.", valueName: "seconds"),
    transform: number.read)
  var seconds: Int = 0
}

extension LogFormat: ExpressibleByArgument {}

extension LogLevel: ExpressibleByArgument {}

/// A time as an argument: a day, or a day and a time in UTC.
struct InstantArgument: ExpressibleByArgument, Hashable {
  let instant: Instant

  init?(argument: String) {
    guard let instant = Instant(text: argument) else { return nil }
    self.instant = instant
  }
}

/// A day as an argument: `2021-08-09`.
struct DayArgument: ExpressibleByArgument, Hashable {
  let day: CivilDay

  init?(argument: String) {
    guard let day = CivilDay(text: argument) else { return nil }
    self.day = day
  }
}

/// A percentage as an argument: `1`, `0.5` or `100`.
struct PercentArgument: ExpressibleByArgument, Hashable {
  /// The percentage in hundredths of a percent, 0 … 10,000.
  let hundredths: Int

  init(hundredths: Int) { self.hundredths = hundredths }

  init?(argument: String) {
    let parts = argument.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int(parts[0]), (0...100).contains(whole) else { return nil }
    let digits = parts.count > 1 ? parts[1] : "0"
    guard (1...2).contains(digits.utf8.count), let part = Int(digits), part >= 0 else { return nil }
    let hundredths = whole * 100 + (digits.utf8.count == 1 ? part * 10 : part)
    guard hundredths <= 10_000 else { return nil }
    self.hundredths = hundredths
  }

  var text: String {
    hundredths % 100 == 0
      ? "\(hundredths / 100)" : "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }

  /// The default value, for `--help`.
  var defaultValueDescription: String { text }
}

extension Reprocess: ExpressibleByArgument {}

/// A duration as an argument: `36h`, `90m`, `7d`.
struct DurationArgument: ExpressibleByArgument, Hashable {
  let length: Milliseconds

  init?(argument: String) {
    guard let unit = argument.last,
      let count = PipelineDefinition.wholeNumber(
        String(argument.dropLast()))
    else { return nil }
    switch unit {
    case "s": length = .seconds(Int64(count))
    case "m": length = .seconds(Int64(count) * 60)
    case "h": length = .hours(Int64(count))
    case "d": length = .days(Int64(count))
    default: return nil
    }
  }
}

/// An amount of memory as an argument: `512M`, `2G`.
struct MemoryArgument: ExpressibleByArgument, Hashable {
  let bytes: Int64

  init?(argument: String) {
    guard let unit = argument.last,
      let count = PipelineDefinition.wholeNumber(
        String(argument.dropLast()))
    else { return nil }
    switch unit {
    case "M", "m": bytes = Int64(count) << 20
    case "G", "g": bytes = Int64(count) << 30
    default: return nil
    }
  }
}
