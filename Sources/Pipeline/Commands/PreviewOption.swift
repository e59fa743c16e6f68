internal import ArgumentParser
internal import Pipeline

/// The option `--look`: the number of records that a dry run checks in each new file.
struct PreviewOption: ParsableArguments {
  private static let number = BoundedNumber(
    range: 0...1_000_000, noun: "a number of records", example: "--look 500")

  @Option(
    name: .customLong("look"),
    help: ArgumentHelp(
      "With --dry-run: check this many records of each new file; 0 for none, "
        + "\(InputPreview.standard) if not given.",
      valueName: "records"),
    transform: number.read)
  var records: Int = InputPreview.standard
}
