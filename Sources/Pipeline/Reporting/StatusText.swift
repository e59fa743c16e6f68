internal import CivilTime
internal import Diagnostics
internal import Warehouse

extension StatusReport {
  /// The status for people.
  var text: String {
    var lines = [
      "Last success   \(lastSuccess?.text ?? "never")",
      "Newest export  \(newestExportDay?.text ?? "no export has a {date} in its name")\(gaps)",
      "Input files    " + files.map { "\($0.files) \($0.status)" }.joined(separator: ", "),
    ]
    let shown = unusedFiles.prefix(Self.unusedFilesShown)
    lines += shown.map { file in
      "               \(file.status): \(OneLine.text(file.name))"
        + (file.refusal.map { ": \($0)" } ?? "")
    }
    let hidden = unusedFiles.count - shown.count
    if hidden > 0 { lines.append("               and \(hidden) more (--json names all)") }
    if let revenue {
      lines.append("Facts          as of \(revenue.asOf ?? "?"); \(coverage(revenue))")
      lines += standing.lines
    } else {
      lines.append("Facts          nothing is published yet")
    }
    if let unfinishedBytes {
      lines.append(
        "Left behind    \(unfinishedBytes) bytes of a warehouse that a killed run began; the next "
          + "run removes them")
    }
    if rejects.isEmpty {
      let isHeld = files.contains { $0.status == FileStatus.held.rawValue && $0.files > 0 }
      lines.append("Rejects        none" + (isHeld ? " in the files that are used" : ""))
    } else {
      lines.append("Rejects")
      var table = TextTable([("reason", .left), ("records", .right)])
      for reject in rejects { table.add([reject.reason, String(reject.count)]) }
      lines.append(table.text)
    }
    if !restatements.lines.isEmpty {
      lines += ["", "Restated days that were published before", restatements.table]
    }
    lines += ["", "Runs", runsTable]
    return lines.joined(separator: "\n")
  }

  private static let unusedFilesShown = 10

  private var gaps: String {
    guard !missingDays.isEmpty else { return "" }
    let shown = missingDays.prefix(10).map(\.text).joined(separator: ", ")
    let more = missingDays.count - 10
    return "; no export for \(shown)" + (more > 0 ? " and \(more) more days" : "")
  }

  private func coverage(_ revenue: RevenueSummary) -> String {
    let coverage = revenue.coverage
    guard coverage.chargeable > 0 else { return "no row was to be paid for" }
    return "\(RevenueSummary.percent(coverage.known, coverage.chargeable)) of "
      + "\(coverage.chargeable) chargeable rows known, "
      + "\(RevenueSummary.percent(coverage.exact, coverage.chargeable)) exact"
  }

  private var runsTable: String {
    var table = TextTable([
      ("run", .right), ("kind", .left), ("started", .left), ("finished", .left),
      ("status", .left), ("exit", .right), ("message", .left),
    ])
    for run in runs {
      let message = run.message?.split(separator: "\n").first.map(String.init) ?? ""
      table.add([
        String(run.id), run.kind, run.startedAt.text, run.finishedAt?.text ?? "",
        status(of: run), run.exitStatus.map { String($0) } ?? "", String(message.prefix(80)),
      ])
    }
    return table.text
  }

  /// The status for machines.
  var json: JSONText {
    .object([
      .init("last_success_at", .text(orNull: lastSuccess?.text)),
      .init("newest_export_date", .text(orNull: newestExportDay?.text)),
      .init("missing_export_dates", .list(missingDays.map { .text($0.text) })),
      .init(
        "files", .object(files.map { .init($0.status, .number(Int64($0.files))) })),
      .init(
        "unused_files",
        .list(
          unusedFiles.map {
            .object([
              .init("name", .text($0.name)), .init("status", .text($0.status)),
              .init("refusal", .text(orNull: $0.refusal)),
            ])
          })),
      .init(
        "rejects", .object(rejects.map { .init($0.reason, .number(Int64($0.count))) })),
      .init("unfinished_bytes", .number(orNull: unfinishedBytes)),
      .init("facts", revenue?.json ?? .null),
      .init("standing", revenue == nil ? .null : standing.json),
      .init("restatements", restatements.json),
      .init("runs", .list(runs.map(json))),
    ])
  }

  private func json(_ run: RunRecord) -> JSONText {
    .object([
      .init("run_id", .number(run.id)), .init("kind", .text(run.kind)),
      .init("started_at", .text(run.startedAt.text)),
      .init("finished_at", .text(orNull: run.finishedAt?.text)),
      .init("status", .text(status(of: run))),
      .init("exit_status", .number(orNull: run.exitStatus.map(Int64.init))),
      .init("as_of", .text(orNull: run.asOf?.text)),
      .init("message", .text(orNull: run.message)),
    ])
  }
}
