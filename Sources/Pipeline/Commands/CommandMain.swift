package import AppStoreClient
internal import ArgumentParser
internal import Diagnostics
internal import Glibc
internal import Logging
internal import Pipeline

/// The entry points of the executables.
package enum CommandMain {
  /// Runs the program with the name by which the process was started, and ends the process.
  ///
  /// `/usr/bin/paidline-ingest` is a link to `paidline`, and runs as `paidline-ingest`. So a
  /// package needs one executable instead of four that are nearly equal.
  package static func asNamed() -> Never {
    guard let path = CommandLine.arguments.first else {
      // Fails even for `--help`. With the status 0 of `--help`, a scheduled run would look
      // successful.
      end(
        PaidlineCommand.self,
        RunFailure(.inputOutput, "cannot read the command line; is /proc mounted?"))
    }
    switch path.split(separator: "/").last {
    case "paidline-ingest": ingest()
    case "paidline-reconstruct": reconstruct()
    case "paidline-publish": publish()
    default: paidline()
    }
  }

  /// Runs `paidline` with the process's arguments, and ends the process.
  static func paidline() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let failure = UnknownCommand.failure(in: arguments) { end(PaidlineCommand.self, failure) }
    guard arguments == PaidlineCommand.versionAsJSON else { run(PaidlineCommand.self) }
    do throws(RunFailure) {
      try CheckedOutput.standard.writeLine(ProgramVersion.json.page)
      exit(ExitStatus.success.rawValue)
    } catch {
      end(PaidlineCommand.self, error)
    }
  }

  /// Runs `paidline-ingest` with the process's arguments, and ends the process.
  package static func ingest() -> Never {
    if isFilter(of: IngestFilters.self) { run(IngestFilters.self) }
    run(IngestCommand.self)
  }

  /// Runs `paidline-reconstruct` with the process's arguments, and ends the process.
  package static func reconstruct() -> Never {
    if isFilter(of: ReconstructFilters.self) { run(ReconstructFilters.self) }
    run(ReconstructCommand.self)
  }

  /// Returns true if the first argument is the name of a filter, such as `merge`.
  ///
  /// Any other first argument is the path of a pipeline.
  private static func isFilter<Filters: ParsableCommand>(of filters: Filters.Type) -> Bool {
    let named = CommandLine.arguments.dropFirst().first
    return Filters.configuration.subcommands.contains { $0.configuration.commandName == named }
  }

  /// Runs `paidline-publish` with the process's arguments, and ends the process.
  package static func publish() -> Never { run(PublishCommand.self) }

  /// Runs `paidline-validate` with the process's arguments, and ends the process.
  package static func validate(edge: ValidationDependencies) -> Never {
    prepare(ValidateCommand.self)
    wait(for: ValidateCommand.self) { try await ValidateCommand.parse().run(edge: edge) }
  }

  /// Runs `paidline-fetch` with the process's arguments, and ends the process.
  package static func fetch(connect: @escaping AppleConnection.Maker) -> Never {
    prepare(FetchCommand.self)
    wait(for: FetchCommand.self) {
      var command = try FetchCommand.parseAsRoot()
      if let fetching = command as? any FetchingCommand {
        try await fetching.run(connect: connect)
      } else {
        try command.run()
      }
    }
  }

  /// Runs asynchronous work while the main thread waits, and ends the process.
  ///
  /// With an asynchronous `main`, Swift's runtime would run work on the main thread. Then the main
  /// thread could receive signals, although a separate thread must receive them.
  private static func wait<Command: ParsableCommand>(
    for type: Command.Type, _ work: @escaping @Sendable () async throws -> Void
  ) -> Never {
    Task.detached {
      do {
        try await work()
        exit(ExitStatus.success.rawValue)
      } catch {
        end(type, error)
      }
    }
    while true { SystemClock.sleep(milliseconds: 3_600_000) }
  }

  private static func run<Command: ParsableCommand>(_ type: Command.Type) -> Never {
    prepare(type)
    do {
      var command = try type.parseAsRoot()
      try command.run()
      exit(ExitStatus.success.rawValue)
    } catch {
      end(type, error)
    }
  }

  private static func prepare<Command: ParsableCommand>(_ type: Command.Type) {
    occupyStandardStreams()
    CrashTrace.useSystemHandlers(type.configuration.commandName ?? "paidline")
    do throws(RunFailure) {
      try OpenFileLimit.raise()
      umask(0o027)
      try StopSignal.watch()
      // The number of threads: one per core for the work, one that watches the memory, and one that
      // ends the process if the work does not stop.
      try WaitingThread.ensure(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 2)
    } catch {
      end(type, error)
    }
    #if DEBUG
      Failpoint.arm()
    #endif
  }

  /// Opens the null device in place of each standard stream that the caller closed.
  ///
  /// Otherwise a file that is opened later could get the number of a standard stream, and messages
  /// would be written to that file.
  ///
  /// The null device is opened for reading only. So writing a result to it fails, and the process
  /// ends with status 74.
  private static func occupyStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDONLY)  // The lowest free number: `descriptor`.
    }
  }

  /// Ends the process with the exit status for an error.
  ///
  /// ArgumentParser reports `--help` and `--version` as errors too; for them the status is 0.
  private static func end<Command: ParsableCommand>(_ type: Command.Type, _ error: any Error)
    -> Never
  {
    if let failure = error as? RunFailure { end(type, failure) }
    let message = type.fullMessage(for: error)
    let code = type.exitCode(for: error)
    guard code.isSuccess else {
      if !message.isEmpty { StandardError.write(message + "\n") }
      exit(code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue)
    }
    do throws(RunFailure) {
      // Does not use `print`, so that even help ends with status 74 if the disk is full.
      if !message.isEmpty { try CheckedOutput.standard.writeLine(message) }
      exit(ExitStatus.success.rawValue)
    } catch {
      end(type, error)
    }
  }

  private static func end<Command: ParsableCommand>(_ type: Command.Type, _ failure: RunFailure)
    -> Never
  {
    StopSignal.waitForExit()
    let name = type.configuration.commandName ?? "paidline"
    RunLog.writeEnd(failure, of: name)
    exit(failure.status.rawValue)
  }
}
