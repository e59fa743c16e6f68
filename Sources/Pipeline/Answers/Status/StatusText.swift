internal import SharedTables
package import Pipeline
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Warehouse

extension StatusAnswer {
  /// The status as text, the state of the pipeline first.
  ///
  /// Without `showsAll`, each list is shortened.
  package func text(
    _ result: StatusResult, showsRestatements: Bool, _ changed: ChangedAmounts? = nil,
    advice: [String] = [], showsAll: Bool = false
  ) -> String {
    func shortened(_ lines: [String], indent: String = "  ") -> [String] {
      guard !showsAll, lines.count > Self.linesShown + 1 else { return lines }
      let more = lines.count - Self.linesShown
      return lines.prefix(Self.linesShown) + ["\(indent)and \(more) more (--all shows them)"]
    }
    var lines =
      [result.headline] + shortened(result.warnings.map { "  \($0)" }) + [
        "",
        "Last success   \(lastSuccess?.text ?? "never")",
        "Newest export  \(newestExportDay?.text ?? withoutExportDay)\(gaps)",
        "Input files    " + files.map { "\($0.files) \($0.status)" }.joined(separator: ", "),
      ]
    lines += unusedLines(showsAll: showsAll).map { "               \($0)" }
    if let revenue {
      let complete = completeThrough.map { "; complete through \($0.text)" } ?? ""
      let asOf =
        revenue.asOf.map { "as of \($0)" } ?? "no receipt or signed transaction with a time yet"
      lines.append("Facts          \(asOf)\(complete); \(coverage(revenue))")
      lines += factCoverage.lines
      lines += correctionLines
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
      lines.append(
        "Rejects        " + rejects.map { "\($0.count) \($0.reason)" }.joined(separator: ", "))
    }
    if !tokens.isEmpty { lines.append("Signed         \(tokens.text)") }
    if assumedProduction > 0 {
      lines.append(
        "Assumed        production, for \(Count.text(Int(assumedProduction), "row")) without an "
          + "environment")
    }
    if showsRestatements {
      lines += ["", "Published days that the newest runs changed"]
      lines.append(restatements.lines.isEmpty ? "none" : restatements.table)
    }
    if let changed { lines += [""] + changed.lines }
    if !advice.isEmpty { lines += [""] + advice }
    lines += ["", runsTable]
    let failed = runs.prefix(Self.runsShown).filter { $0.status == .failed && $0.message != nil }
    if !failed.isEmpty { lines.append("") }
    for run in failed {
      // The message of the newest run is shown completely, because it contains the remedy.
      let message = OneLine.lines(run.message ?? "").split(separator: "\n")
      lines.append("Run \(run.id): \(message.first ?? "")")
      if run.id == runs.first?.id {
        lines += shortened(message.dropFirst().map { "  \($0)" })
      }
    }
    return lines.joined(separator: "\n")
  }

  private var withoutExportDay: String {
    let used = files.first { $0.status == FileStatus.used.rawValue }?.files ?? 0
    return used > 0
      ? "no used file of receipts matches a pattern with {date}" : "no file is used yet"
  }

  /// Lists the files that are not used, each with the reason.
  ///
  /// If a bad file stops a run, all other new files of the run are held too. The other files have
  /// one line together: `held: 3 other files; used once the files above are fixed`.
  private func unusedLines(showsAll: Bool) -> [String] {
    let named = unusedFiles.filter { $0.refusal != nil || $0.found != nil }
    let waiting = unusedFiles.count { $0.refusal == nil && $0.found == nil }
    let hasCause = named.contains { $0.found != nil }
    let listed = hasCause ? named : unusedFiles
    let shown = listed.prefix(showsAll ? listed.count : Self.linesShown)
    var lines = shown.map { file in
      "\(file.status): \(OneLine.text(file.name))"
        + ((file.refusal ?? file.found).map { ": \(OneLine.text($0))" } ?? "")
    }
    if listed.count > shown.count {
      lines.append("and \(listed.count - shown.count) more (--all shows them)")
    }
    if hasCause, waiting > 0 {
      lines.append(
        "held: \(Count.text(waiting, "other file")); used once the files above are fixed")
    }
    return lines
  }

  /// The number of the owner's corrections, then the corrections, one per line.
  private var correctionLines: [String] {
    guard !corrections.isEmpty else { return [] }
    let used = corrections.count { $0.effect == .used }
    let more = corrections.count - Self.correctionsShown
    return ["Corrections    \(corrections.count), \(used) in force"]
      + corrections.prefix(Self.correctionsShown).map { correction in
        "               \(OneLine.text(correction.record.transactionID)) "
          + "\(OneLine.text(correction.amountText)): \(correction.effectText)"
      } + (more > 0 ? ["               and \(more) more (--json names all)"] : [])
  }

  private static let correctionsShown = 10
  /// The largest number of lines of each list.
  private static let linesShown = 10
  private static let runsInJSON = 10

  private var gaps: String {
    guard !missingDays.isEmpty else { return "" }
    let shown = missingDays.prefix(10).map(\.text).joined(separator: ", ")
    let more = missingDays.count - 10
    return "; no export for \(shown)" + (more > 0 ? " and \(more) more days" : "")
  }

  private func coverage(_ revenue: RevenueSummary) -> String {
    let coverage = revenue.coverage
    guard coverage.chargeable > 0 else { return "no row needs an amount" }
    return "\(Share.percent(coverage.known, coverage.chargeable)) of "
      + "\(coverage.chargeable) chargeable rows known, "
      + "\(Share.percent(coverage.exact, coverage.chargeable)) exact"
  }

  /// The newest runs as a table.
  ///
  /// The table has a column for signed transactions if any of the runs read some.
  private var runsTable: String {
    let shown = runs.prefix(Self.runsShown)
    let hasTokens = shown.contains { tokensOfRuns[$0.id] != nil }
    var table = TextTable(
      [
        ("run", .right), ("kind", .left), ("started", .left), ("finished", .left),
        ("status", .left), ("exit", .right),
      ] + (hasTokens ? [("signed transactions", .left)] : []))
    for run in shown {
      table.add(
        [
          String(run.id), run.kind, run.startedAt.text, run.finishedAt?.text ?? "",
          status(of: run), run.exitStatus.map { String($0) } ?? "",
        ] + (hasTokens ? [tokensOfRuns[run.id]?.text ?? ""] : []))
    }
    return table.text
  }

  /// The status as JSON.
  package func json(_ result: StatusResult, _ changed: ChangedAmounts? = nil) -> JSONText {
    let amounts = changed.map { [JSONText.Member("amount_changes", $0.json)] } ?? []
    return .object(
      [
        .init("verdict", .text(result.headline)),
        .init("exit_status", .number(Int64(result.exitStatus.rawValue))),
        .init(
          "faults",
          .list(
            faults.map { fault in
              .object([
                .init("stage", .text(fault.stage)), .init("fault", .text(fault.fault)),
                .init("since", .text(fault.since.text)), .init("message", .text(fault.message)),
              ])
            })),
        .init("complete_through_date", .text(orNull: completeThrough?.text)),
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
                .init("found", .text(orNull: $0.found)),
              ])
            })),
        .init(
          "rejects", .object(rejects.map { .init($0.reason, .number(Int64($0.count))) })),
        .init("signed_tokens", json(tokens)),
        .init("assumed_production_rows", .number(assumedProduction)),
        .init("unfinished_bytes", .number(orNull: unfinishedBytes)),
        .init("facts", revenue?.json ?? .null),
        .init("standing", revenue == nil ? .null : factCoverage.json),
        .init("restatements", restatements.json),
        .init("corrections", .list(corrections.map(json))),
        .init("runs", .list(runs.prefix(Self.runsInJSON).map(json))),
      ] + amounts)
  }

  private func json(_ correction: PublishedCorrection) -> JSONText {
    .object([
      .init("transaction_id", .text(correction.record.transactionID)),
      .init("amount_milli", .number(correction.record.amountMilli)),
      .init("currency", .text(correction.record.currency)),
      .init("reason", .text(correction.record.reason)),
      .init("given_by", .text(correction.record.givenBy)),
      .init("given_on", .text(correction.record.givenOn)),
      .init("is_in_force", .flag(correction.effect == .used)),
      .init("standing", .text(correction.effectText)),
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
      .init("signed_tokens", json(tokensOfRuns[run.id] ?? TokenTally())),
      .init("message", .text(orNull: run.message)),
    ])
  }

  private func json(_ tokens: TokenTally) -> JSONText {
    .object(tokens.counts.map { .init($0.standing, .number(Int64($0.count))) })
  }
}
