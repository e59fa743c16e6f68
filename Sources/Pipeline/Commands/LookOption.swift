internal import ArgumentParser
internal import Pipeline

/// The number of records of each new file that a dry run reads.
struct LookOption: ParsableArguments {
  @Option(
    name: .customLong("look"),
    help: ArgumentHelp(
      "With --dry-run: look into this many records of each new file; 0 for none.",
      valueName: "records"))
  var records: Int = InputLook.standard

  func validate() throws {
    guard (0...1_000_000).contains(records) else {
      throw ValidationError("--look takes a number of records from 0 to 1000000.")
    }
  }
}
