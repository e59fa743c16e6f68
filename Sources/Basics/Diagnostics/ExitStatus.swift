/// The exit status of a command, as in sysexits.h, so that cron and systemd can react to it.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All work is done, or there was no work.
  case success = 0
  /// The command line is wrong.
  case usage = 64
  /// Input was refused or a data test failed; nothing was published.
  case dataRefused = 65
  /// A named input does not exist.
  case inputMissing = 66
  /// Apple cannot be reached.
  case unavailable = 69
  /// An invariant is broken: a bug in Paidline.
  case invariantBroken = 70
  /// An output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed; the disk may be full.
  case inputOutput = 74
  /// Another run or a reader holds a lock.
  ///
  /// A script should repeat an unchanged command after this status, but not after any other
  /// failure.
  case tryAgain = 75
  /// A permission is missing.
  case noPermission = 77
  /// The pipeline file or a key is wrong, or a database has another schema version.
  case badConfiguration = 78
  /// The command was stopped by SIGINT; run it again.
  case interrupted = 130
  /// The command was stopped by SIGTERM; run it again.
  case terminated = 143

  /// The meaning for an operator, for `--help`.
  public var meaning: String {
    switch self {
    case .success: "done, or nothing to do"
    case .usage: "the command line is wrong"
    case .dataRefused: "input refused or a data test failed; nothing published"
    case .inputMissing: "an input is missing"
    case .unavailable: "Apple cannot be reached"
    case .invariantBroken: "an internal check failed, which is a bug"
    case .cannotCreate: "an output cannot be created"
    case .inputOutput: "reading or writing failed, or the disk is full"
    case .tryAgain:
      "a run or reader holds a lock; retry only after this status"
    case .noPermission: "a permission is missing"
    case .badConfiguration: "the pipeline file or the schema version is wrong"
    case .interrupted: "interrupted; run again"
    case .terminated: "terminated; run again"
    }
  }
}

/// The reason why a run cannot continue, with the remedy for an operator.
///
/// The message states the place, the expected and the found value, and the remedy, without personal
/// data. Libraries throw the failure; only a command prints its message and exits with its status.
public struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit status of the command.
  public let status: ExitStatus
  /// One or more sentences, without a newline at the end.
  public let message: String

  /// Creates a failure from its fields.
  public init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The message, as the command prints it.
  public var description: String { message }
}
