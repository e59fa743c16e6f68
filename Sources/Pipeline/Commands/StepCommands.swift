internal import ArgumentParser
internal import Diagnostics
internal import Glibc
internal import Pipeline

/// `paidline-reconstruct merge`: merges the rows of each chain from all exports, as a filter.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Read sorted rows `part`; write the links of each chain for `join`, and the products."
  )

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("merge") { (context) throws(RunFailure) in try MergeFilter(context).run() }
  }
}

/// `paidline-reconstruct join`: joins chains to households; it runs after `merge`.
struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract:
      "Read the rows of `merge`, price reports and records without a chain; find the households.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("join") { (context) throws(RunFailure) in try JoinFilter(context).run() }
  }
}

/// `paidline-reconstruct place`: finds the storefront and time of each price report, as a filter.
///
/// It runs after `join` and before `learn`.
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Read households, and write the storefront and the time of each price report.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("place") { (context) throws(RunFailure) in try PlaceFilter(context).run() }
  }
}

/// `paidline-reconstruct learn`: learns prices and verdicts from all placed reports, as a filter.
struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract:
      "Read the rows `file` and what `place` wrote; write the price book and a verdict on each report."
  )

  @OptionGroup var options: FilterOptions

  func run() throws {
    let workers = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    try options.run("learn") { (context) throws(RunFailure) in
      try LearnFilter(context, workers: workers).run()
    }
  }
}

/// `paidline-reconstruct decide`: computes the facts of households, as a filter.
struct DecideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Read households, and write the rows of their facts and a digest.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("decide") { (context) throws(RunFailure) in
      try DecideFilter(context).decide()
    }
  }
}
