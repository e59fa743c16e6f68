internal import ArgumentParser
internal import Diagnostics
internal import Pipeline
internal import Warehouse

/// `paidline verify`: checks that the published facts follow from the exports.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the published facts match the exports.",
    discussion: """
      Compares the published rows with their recorded hash and the record counts of all files in \
      both databases, and looks for damage. With --full, also rebuilds everything from the exports \
      in a private folder, compares it row by row, and removes the folder. This needs all exports, \
      the time of a first run, and as much free disk space as both databases use.

      Ends with 70 when something differs: a database was changed, or it is a bug. `paidline run \
      --full-refresh` corrects the facts. Ends with 66 when a file behind the facts is gone, and \
      with 65 when a run must come first.

      EXAMPLES
        paidline verify Pipelines/nightly.yaml
        paidline verify Pipelines/nightly.yaml --full
      """)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var logOptions: LogOptions

  @Flag(help: "Rebuild everything from the exports and compare it row by row.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "The folder for the rebuilt facts; by default next to state.db.", valueName: "dir"),
    completion: .directory)
  var scratch: String?

  @OptionGroup var work: WorkOptions

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    guard full || scratch == nil else { throw ValidationError("--scratch needs --full.") }
  }

  func run() throws {
    let definition = try pipeline.read()
    let verification = try Verification(definition, log: logOptions.logger("paidline"))
    _ = try verification.requireCurrent()
    let findings = try verification.findings(isThorough: full)
    var comparison = FactComparison()
    if full {
      let folder = try ScratchFolder(in: scratch ?? FilePaths.folder(of: definition.statePath))
      defer { folder.remove() }
      let (jobs, memory) = (work.workers, work.budget)
      comparison = try waited { () async throws(RunFailure) in
        try await verification.compare(in: folder, jobs: jobs, memory: memory)
      }
    }
    try CheckedOutput.standard.writeLine(
      json ? Self.json(findings, comparison).page : text(findings, comparison))
    guard findings.isEmpty, comparison.rows == 0 else {
      throw RunFailure(
        .invariantBroken,
        "the published facts are wrong; publish them again with `paidline run --full-refresh`. If "
          + "a finding names state.db, restore this file first (Docs/operations.md). If no database "
          + "was changed by hand, please report this as a bug.")
    }
  }

  private func text(_ findings: [String], _ comparison: FactComparison) -> String {
    var lines = findings
    for difference in comparison.differences {
      let place = "\(difference.table) \(OneLine.text(difference.key))"
      if let column = difference.column {
        lines.append(
          "\(place): \(column) is \(OneLine.text(difference.first ?? "NULL")), but the exports "
            + "give \(OneLine.text(difference.second ?? "NULL"))")
      } else if difference.first == nil {
        lines.append("\(place): the row is missing")
      } else {
        lines.append("\(place): the row is in no export")
      }
    }
    let shown = Set(comparison.differences.map { "\($0.table) \($0.key)" }).count
    if comparison.rows > shown { lines.append("… and \(comparison.rows - shown) more rows") }
    if !full, !findings.isEmpty {
      lines.append("verify --full lists the rows that differ from the exports.")
    }
    if lines.isEmpty {
      lines.append(
        full
          ? "The facts rebuilt from the exports match the published facts."
          : "The stored facts and record counts agree. verify --full compares them with the "
            + "exports.")
    }
    return lines.joined(separator: "\n")
  }

  private static func json(_ findings: [String], _ comparison: FactComparison) -> JSONText {
    .object([
      .init("findings", .list(findings.map(JSONText.text))),
      .init("differing_rows", .number(Int64(comparison.rows))),
      .init(
        "differences",
        .list(
          comparison.differences.map {
            .object([
              .init("table", .text($0.table)), .init("key", .text($0.key)),
              .init("column", .text(orNull: $0.column)),
              .init("published", .text(orNull: $0.first)),
              .init("rebuilt", .text(orNull: $0.second)),
            ])
          })),
    ])
  }
}
