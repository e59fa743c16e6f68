internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline-reconstruct merge`: merges the rows of each chain from all exports, as a filter.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Read sorted rows `part`; write the links of each chain for `join`, and the products."
  )

  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  func run() throws {
    try FilterWork.run("paidline-reconstruct merge") { () throws(RunFailure) in
      try MergeFilter(settings: try options.settings(), files: try files.read()).run()
    }
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
    try FilterWork.run("paidline-reconstruct join") { () throws(RunFailure) in
      try JoinFilter(settings: try options.settings()).run()
    }
  }
}

/// `paidline-reconstruct place`: finds the storefront and time of each price report, as a filter.
///
/// It runs after `join` and before `learn`.
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Read households, and write the storefront and the time of each price report.")

  @OptionGroup var side: HouseholdFiles

  func run() throws {
    try FilterWork.run("paidline-reconstruct place") { () throws(RunFailure) in
      try PlaceFilter(
        settings: try side.options.settings(), files: try side.files.read(),
        products: try ProductRows(path: side.products), joined: try JoinedSide(path: side.joined)
      ).run()
    }
  }
}
