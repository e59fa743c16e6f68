internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// The second step.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Reads rows `part` in order, and writes what joining needs of each chain.")

  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  func run() throws {
    try FilterWork.run("paidline-reconstruct merge") { () throws(RunFailure) in
      try MergeFilter(settings: try options.settings(), files: try files.read()).run()
    }
  }
}

/// The join between merging and placing.
struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Reads what `merge` wrote, reports and lone records, and finds the households.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try FilterWork.run("paidline-reconstruct join") { () throws(RunFailure) in
      try JoinFilter(settings: try options.settings()).run()
    }
  }
}

/// The join between merging and learning.
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Reads whole households, and writes where and when each report counts.")

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
