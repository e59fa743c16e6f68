internal import ArgumentParser
internal import CivilTime
internal import Pipeline

/// The options for a window of export days; only the stage `paidline-ingest` uses them.
struct WindowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read only exports of this day and later, such as 2021-01-01.", valueName: "day"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Read only exports up to this day.", valueName: "day"))
  var through: DayArgument?

  @Option(
    help: "Files to read: missing (only new ones), failed (also refused and held ones) or all.")
  var reprocess: Reprocess = .missing

  @Option(help: .hidden)
  var stepBytes: Int64 = BackfillWindow.defaultStepBytes

  func validate() throws {
    guard (from == nil) == (through == nil) else {
      throw ValidationError("--from and --through must be given together.")
    }
    if let from, let through, through.day < from.day {
      throw ValidationError("--through is a day before --from.")
    }
    guard from != nil || reprocess == .missing else {
      throw ValidationError("--reprocess needs --from and --through.")
    }
    guard stepBytes > 0 else { throw ValidationError("--step-bytes expects a number above 0.") }
  }

  /// The backfill that the options request; `nil` without `--from` and `--through`.
  var backfill: BackfillWindow? {
    guard let from, let through else { return nil }
    return BackfillWindow(
      window: ExportWindow(from: from.day, through: through.day), reprocess: reprocess,
      stepBytes: stepBytes)
  }
}
