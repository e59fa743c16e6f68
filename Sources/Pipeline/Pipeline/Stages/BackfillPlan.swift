internal import SharedTables
internal import StateStore
internal import CivilTime
package import Diagnostics
internal import PurchaseModel

/// The files that a backfill would read: `paidline backfill --dry-run`.
package struct BackfillPlan {
  /// The files in the window, with their status in state.db.
  package var plan: RunPlan
  /// The window of export days, and the settings of the backfill.
  var backfill: BackfillWindow
  /// The files in the window that match the patterns.
  var inputs: WindowInputs
  /// The number of bytes of exports that earlier runs read per second.
  ///
  /// `nil` if no run of all stages succeeded and read at least 1 MiB.
  var bytesPerSecond: Int64?

  /// Reads the settings, finds the inputs and looks up their status; changes nothing.
  package static func make(
    _ definition: PipelineDefinition, gatePolicy: GatePolicy, backfill: BackfillWindow, preview: Int
  ) throws(RunFailure) -> BackfillPlan {
    let inputs = try WindowInputs.find(definition, in: backfill.window)
    let plan = try RunPlan.make(
      definition, gatePolicy: gatePolicy,
      found: FoundInputs(files: inputs.files, refusals: inputs.refusals),
      rereads: backfill.reprocess, preview: preview)
    return BackfillPlan(
      plan: plan, backfill: backfill, inputs: inputs,
      bytesPerSecond: try rate(definition))
  }

  /// Computes the number of bytes that runs read per second; `nil` if it is unknown.
  ///
  /// It is the average over at most ten runs of all stages: the newest that succeeded and read at
  /// least 1 MiB each.
  private static func rate(_ definition: PipelineDefinition) throws(RunFailure) -> Int64? {
    guard PathStatus.exists(definition.statePath) else { return nil }
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let files = try state.files()
    var bytes: Int64 = 0
    var milliseconds: Int64 = 0
    var count = 0
    for run in try state.runs().reversed() where run.status == .succeeded && count < 10 {
      guard let end = run.finishedAt, RunStart.sharedKinds.contains(run.kind) else { continue }
      let read = files.reduce(0) { $0 + ($1.firstRunID == run.id ? $1.bytes : 0) }
      guard read >= 1 << 20 else { continue }
      bytes += read
      milliseconds += max(1, end.milliseconds - run.startedAt.milliseconds)
      count += 1
    }
    return count == 0 ? nil : max(1, bytes / 1000 * 1_000_000 / milliseconds)
  }

  /// The estimated duration of the backfill in seconds; `nil` if ``bytesPerSecond`` is unknown.
  private var seconds: Int64? {
    bytesPerSecond.map { (plan.bytesToRead + $0 - 1) / $0 }
  }

  private var gaps: [(kind: InputFile.Kind, days: [ClosedRange<CivilDay>])] {
    InputFile.Kind.allCases.map { ($0, inputs.gaps(of: $0)) }.filter { !$0.days.isEmpty }
  }

  /// The plan as text.
  package var text: String {
    var lines = [
      plan.table,
      "A backfill of \(backfill.window.text) would read \(plan.filesToRead) of "
        + "\(Count.text(plan.matched, "file")), \(Count.text(plan.bytesToRead, "byte")). "
        + "Nothing was changed.",
    ]
    if let seconds, let bytesPerSecond, plan.filesToRead > 0 {
      lines.append(
        "Estimated time: \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) minutes, "
          + "at "
          + "\(bytesPerSecond / 1_000_000).\(bytesPerSecond / 100_000 % 10) MB per second as in "
          + "earlier runs.")
    } else if plan.filesToRead > 0 {
      lines.append("Estimated time: unknown, because no earlier run has read at least 1 MiB.")
    }
    for gap in gaps {
      lines.append("No \(gap.kind.rawValue) for \(DayGaps.text(gap.days, atMost: 50)).")
    }
    for pattern in inputs.undated {
      lines.append("Skipped, because the pattern has no {date}: \(OneLine.text(pattern))")
    }
    return (lines + plan.ending.lines).joined(separator: "\n")
  }

  /// The plan, as `paidline backfill --json` prints it.
  package var json: JSONText {
    .object([
      .init("from", .text(backfill.window.from.text)),
      .init("through", .text(backfill.window.through.text)),
      .init("reprocess", .text(backfill.reprocess.rawValue)),
      .init("files_to_read", .number(Int64(plan.filesToRead))),
      .init("bytes_to_read", .number(plan.bytesToRead)),
      .init("estimated_seconds", .number(orNull: seconds)),
      .init(
        "gaps",
        .list(
          gaps.flatMap { gap in
            gap.days.map { days in
              .object([
                .init("kind", .text(gap.kind.rawValue)),
                .init("from", .text(days.lowerBound.text)),
                .init("through", .text(days.upperBound.text)),
              ])
            }
          })),
      .init("undated_patterns", .list(inputs.undated.map(JSONText.text))),
      .init("plan", plan.json),
    ])
  }
}
