internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline`: the command for operators, with its subcommands.
struct PaidlineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline",
    abstract: "What did the customer really pay, for every App Store purchase?",
    discussion: """
      EXAMPLES
        paidline init shop                  write a commented pipeline into shop/
        paidline run shop/pipeline.yaml     read what is new, publish the facts
        paidline explain shop/pipeline.yaml 1000000831360853
                                            why this transaction has its amount
        paidline status shop/pipeline.yaml --max-age 36h
                                            for monitoring: 65 when facts are old

      \(ExitStatusTable.text)

      MANUAL
        man paidline, man paidline-run and so on. How to get it, and completions for
        bash, zsh and fish: Docs/install.md
      """,
    subcommands: [
      RunCommand.self, BackfillCommand.self, ExplainCommand.self, ComparePoliciesCommand.self,
      BacktestCommand.self, ReconcileCommand.self,
      ExportCommand.self, CatalogCommand.self, CheckCommand.self, VerifyCommand.self,
      StatusCommand.self,
      ForgetCommand.self, EraseCommand.self, EligibilityCommand.self, SignOffersCommand.self,
      InitCommand.self,
    ])

  @Flag(
    name: .long,
    help: "Print the version and exit; --version --json adds the versions of its libraries.")
  var version = false

  func run() throws {
    guard version else { throw CleanExit.helpRequest(self) }
    try CheckedOutput.standard.writeLine(ProgramVersion.line)
  }

  /// The complete command line that prints the version as JSON.
  ///
  /// The option `--json` is not declared: if `paidline` had this option, its subcommands could not
  /// have an option with the same name.
  static let versionAsJSON = ["--version", "--json"]
}

/// The list of exit statuses that `--help` prints.
enum ExitStatusTable {
  /// A title, and one line per status.
  static let text: String = {
    let lines = ExitStatus.allCases.map { status in
      let number = String(status.rawValue)
      return "  " + number + String(repeating: " ", count: 5 - number.count) + status.meaning
    }
    return "EXIT STATUSES\n" + lines.joined(separator: "\n")
  }()
}
