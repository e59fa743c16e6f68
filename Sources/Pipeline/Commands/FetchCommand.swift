internal import AppStoreClient
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline-fetch`: fetches data from Apple that the exports lack.
struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-fetch",
    abstract: "Fetch signed histories, notifications, sales reports and prices from Apple.",
    discussion: """
      Uses the keys and the request rate of the pipeline's section `fetch`, and writes the \
      responses to gzip exports; each file is written completely or not at all. A stopped run \
      continues when it is run again.

      EXAMPLES
        paidline-fetch shop/pipeline.yaml --dry-run
        paidline-fetch shop/pipeline.yaml
        paidline-fetch notifications shop/pipeline.yaml
        paidline-fetch reports shop/pipeline.yaml --vendor 80012345 \\
          --from 2024-05-01 --through 2024-05-31
        paidline-fetch prices shop/pipeline.yaml

      \(ExitStatusTable.text)
      """,
    version: ProgramVersion.line,
    subcommands: [
      FetchHistoryCommand.self, FetchNotificationsCommand.self, FetchAppleReportsCommand.self,
      FetchPricesCommand.self,
    ],
    defaultSubcommand: FetchHistoryCommand.self)
}

/// A command that sends requests to Apple.
protocol FetchingCommand: ParsableCommand {
  /// Runs the command with a connection to Apple.
  func run(connect: @escaping AppleConnection.Maker) async throws
}

struct FetchOptions: ParsableArguments {
  @OptionGroup var pipeline: PipelineArgument

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var wait: WaitOption

  @OptionGroup var logOptions: LogOptions

  /// Reads the pipeline and its section `fetch`; fails if the section is missing.
  func read() throws(RunFailure) -> (PipelineDefinition, FetchSettings) {
    let definition = try pipeline.read()
    guard let settings = definition.fetching else { throw FetchSettings.withoutKey(definition) }
    return (definition, settings)
  }

  /// Reads the pipeline, its section `fetch`, and a subsection such as `fetch.reports`.
  ///
  /// - Parameters:
  ///   - part: Returns the subsection; `nil` if it is missing.
  ///   - advice: The name of the subsection and its keys, for the message if it is missing.
  /// - Throws: ``RunFailure`` with status 78 if the pipeline lacks the subsection.
  func read<Part>(_ part: (FetchSettings) -> Part?, advice: String) throws(RunFailure)
    -> (PipelineDefinition, FetchSettings, Part)
  {
    let definition = try pipeline.read()
    guard let settings = definition.fetching, let found = part(settings) else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(definition.path)): expected a section \(advice). "
          + DocsPage.fetching.reference)
    }
    return (definition, settings, found)
  }

  /// Acquires the lock of `paidline-fetch`.
  ///
  /// `paidline run` has a separate lock, so a fetch and a run never wait for each other.
  func lock(_ definition: PipelineDefinition) throws(RunFailure) -> StateLock {
    try StateLock(statePath: FetchStage.databasePath(definition), waitSeconds: wait.seconds)
  }

  /// Prints a result as JSON, if the option `--json` is given.
  func show(_ result: JSONText) throws(RunFailure) {
    if json { try CheckedOutput.standard.writeLine(result.page) }
  }
}

/// `paidline-fetch history`: fetches the signed transactions of chains.
struct FetchHistoryCommand: FetchingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Fetch the signed transactions of all chains whose history is not complete.",
    discussion: """
      The chains come from the exports that were read, or from a list. A history holds all \
      purchases of an Apple account in the app, so one request covers all its chains. A chain \
      with a complete history is requested again only with --older-than; Apple then returns only \
      what is new.

      EXAMPLES
        paidline-fetch history shop/pipeline.yaml --dry-run
        paidline-fetch history shop/pipeline.yaml --older-than 7d
        zcat ids.txt.gz | paidline-fetch history shop/pipeline.yaml --chains -
      """)

  @OptionGroup var options: FetchOptions

  @Option(
    help: ArgumentHelp(
      "A list of transaction ids, one per line; - for standard input.",
      discussion: "All chains of state.db if not given.", valueName: "file"),
    completion: .file())
  var chains: String?

  @Option(
    help: ArgumentHelp(
      "Also request chains again whose history was completed longer ago than this, such as 7d or "
        + "36h.",
      discussion: "Finds renewals and refunds since the last fetch.", valueName: "age"))
  var olderThan: DurationArgument?

  @Flag(help: "Print how many chains, requests and hours the fetch needs; send no request.")
  var dryRun = false

  func run(connect: @escaping AppleConnection.Maker) async throws {
    let (definition, settings) = try options.read()
    let source = { () throws(RunFailure) in
      if let chains { return try WantedChain.listed(in: chains) }
      return try WantedChain.all(inState: definition.statePath)
    }
    let lock = try options.lock(definition)
    let stage = FetchStage(
      definition: definition, settings: settings, connect: connect,
      log: options.logOptions.logger("paidline-fetch"))
    if dryRun {
      let plan = try stage.plan(of: try source(), olderThan: olderThan?.length)
      try CheckedOutput.standard.writeLine(options.json ? plan.json.page : plan.text)
    } else {
      let tally = try await stage.fetchHistory(of: source, olderThan: olderThan?.length)
      try options.show(tally.fetchJSON)
    }
    withExtendedLifetime(lock) {}
  }
}

/// `paidline-fetch notifications`: fetches the notifications that Apple sent to the app's server.
struct FetchNotificationsCommand: FetchingCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications",
    abstract: "Fetch the notifications that Apple sent in the last 180 days.",
    discussion: """
      Each notification contains the signed transaction that it is about: renewals, refunds and \
      cancellations of all customers, without a request per customer. A run continues where the \
      last one ended.

      EXAMPLE
        paidline-fetch notifications shop/pipeline.yaml
      """)

  @OptionGroup var options: FetchOptions

  @Flag(help: "Fetch notifications of test purchases too.")
  var sandbox = false

  func run(connect: @escaping AppleConnection.Maker) async throws {
    let (definition, settings) = try options.read()
    let lock = try options.lock(definition)
    let stage = FetchStage(
      definition: definition, settings: settings, connect: connect,
      log: options.logOptions.logger("paidline-fetch"))
    let stores: [AppleEnvironment] = sandbox ? [.production, .sandbox] : [.production]
    let tally = try await stage.fetchNotifications(of: stores)
    try options.show(tally.fetchJSON)
    withExtendedLifetime(lock) {}
  }
}
