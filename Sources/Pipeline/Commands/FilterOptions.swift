internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// The pipeline and the as-of time of a filter.
struct FilterOptions: ParsableArguments {
  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "Ignore later data, and compute statuses for this time; the time of the newest snapshot if "
        + "not given.",
      valueName: "time"))
  var asOf: InstantArgument?

  func settings() throws(RunFailure) -> ReconstructSettings {
    try ReconstructSettings.read(try pipeline.read(), asOf: asOf?.instant)
  }
}

/// The option `--files`: a file with a row `file` for each export of the run.
///
/// All filters after `gather` need the file, except `join`, `learn`, `sum` and `schema`.
struct FilesOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the rows `file` that `gather` wrote for all exports.", valueName: "path"))
  var files: String

  func read() throws(RunFailure) -> FilterFiles { try FilterFiles(path: files) }
}

/// The options of filters that read whole households: `place`, `count` and `decide`.
struct HouseholdFiles: ParsableArguments {
  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  @Option(
    help: ArgumentHelp(
      "A file with the rows `group`, `kind` and `term` that `merge` wrote.", valueName: "path"))
  var products: String

  @Option(
    help: ArgumentHelp(
      "A file with the rows `nobody`, `passed` and `winner` that `join` wrote.",
      valueName: "path"))
  var joined: String
}

/// The file options that the filters `count` and `decide` have in common.
struct DecidingFiles: ParsableArguments {
  @OptionGroup var households: HouseholdFiles

  @Option(
    help: ArgumentHelp(
      """
      The price book: a file with the rows `apart`, `currency`, `interval`, `market`, `prices` and \
      `unit` that `learn` wrote.
      """,
      valueName: "path"))
  var priceBook: String

  /// Creates the filter from the files that the options name.
  ///
  /// Also returns the settings and the exports, which the caller needs to read `--issues`.
  func filter() throws(RunFailure) -> (
    filter: DecideFilter, settings: ReconstructSettings, files: FilterFiles
  ) {
    let (settings, files) = (try households.options.settings(), try households.files.read())
    let filter = DecideFilter(
      settings: settings, files: files, products: try ProductRows(path: households.products),
      prices: try PriceBookRows(path: priceBook), joined: try JoinedSide(path: households.joined))
    return (filter, settings, files)
  }
}
