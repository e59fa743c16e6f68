internal import StateStore
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// The first records of a new file, examined before a run reads the file.
///
/// The option `--look` of a dry run shows them.
package struct InputPreview: Hashable {
  var path: String
  /// The numbers of used, repeated and rejected records among the first records.
  var tally = RecordTally()
  /// The rejects, with all faults of each rejected record, sorted by line.
  var rejects: [Reject] = []
  /// The reason why the file would be refused; `nil` if its first records can be read.
  var refusal: String?
  /// Advice on a file without a usable record, whose entry in the pipeline may be wrong.
  var advice: String?
  /// Whether the end of the file was reached.
  var isComplete = false

  /// The default number of records that a preview reads.
  package static let standard = 100

  /// Reads the first records of a file of a pipeline.
  static func into(_ input: FoundInput, of definition: PipelineDefinition, records: Int)
    throws(RunFailure) -> InputPreview
  {
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    var preview = InputPreview(path: input.path)
    if input.kind == .appleReports {
      let report = try file.readReport().file
      preview.tally = report.tally
      preview.rejects = report.rejects
      preview.refusal = report.refusal
      preview.isComplete = true
      return preview
    }
    switch try file.preview(input.fieldMapping ?? definition.fieldMapping, records: records) {
    case .success(let content):
      preview.tally = content.tally
      preview.rejects = content.rejects
      preview.refusal = content.isNoText.map { "no export: \($0)" }
      preview.isComplete = content.tally.records < records
      if preview.isComplete, content.tally.hasNoUsableRecord {
        preview.advice = MisplacedInput.advice(
          on: definition.place(of: input.path), listedAs: input.kind)
      }
    case .failure(let refusal): preview.refusal = refusal.description
    }
    return preview
  }

  /// The number of different faults to show per file.
  private static let shown = 10

  /// The reason why a run would refuse the file, or the records that it would reject, as text.
  ///
  /// `nil` if a run would use all of the records that were examined.
  var text: String? {
    let name = OneLine.text(path)
    if let refusal { return "\(name) would be refused: \(refusal)." }
    guard tally.rejected + tally.rows.rejected > 0 else { return nil }
    let rows =
      tally.rows.rejected > 0
      ? " and \(tally.rows.rejected) of \(Count.text(tally.rows.rows, "row"))" : ""
    var lines = [
      "\(name): a run would reject \(tally.rejected) of \(isComplete && tally.records == 1 ? "" : "the first ")"
        + "\(Count.text(tally.records, "record"))\(rows):"
    ]
    let faults = faults
    lines += faults.prefix(Self.shown).map { first, times in
      "  line \(first.line): \(first.reason.rawValue), \(OneLine.text(first.detail))"
        + (times > 1 ? ", \(times) times" : "") + "; \(first.reason.advice)"
    }
    if faults.count > Self.shown { lines.append("  and \(faults.count - Self.shown) more") }
    if let advice { lines.append("  \(advice)") }
    return lines.joined(separator: "\n")
  }

  /// The first of all rejects with equal reason and detail, and the number of these rejects.
  private var faults: [(first: Reject, times: Int)] {
    var faults: [(first: Reject, times: Int)] = []
    for reject in rejects {
      let same = faults.firstIndex {
        $0.first.reason == reject.reason && $0.first.detail == reject.detail
      }
      if let same { faults[same].times += 1 } else { faults.append((reject, 1)) }
    }
    return faults
  }

  var json: JSONText {
    .object([
      .init("path", .text(path)), .init("refusal", .text(orNull: refusal)),
      .init("records", .number(Int64(tally.records))),
      .init("rejected", .number(Int64(tally.rejected))),
      .init("rejected_rows", .number(Int64(tally.rows.rejected))),
      .init(
        "rejects",
        .list(
          rejects.map { reject in
            .object([
              .init("line", .number(Int64(reject.line))),
              .init("reason", .text(reject.reason.rawValue)),
              .init("detail", .text(reject.detail)),
            ])
          })),
    ])
  }
}
