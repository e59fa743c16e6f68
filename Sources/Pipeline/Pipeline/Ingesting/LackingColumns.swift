internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Reports the columns that an export lacks, with the figures that cannot be known without them.
///
/// An owner chooses the columns of an export. Without `is_sandbox`, test purchases are revenue.
enum LackingColumns {
  /// Returns one message for each format and set of columns.
  ///
  /// A file of other events alone may have the columns of another format; nothing is said about it.
  static func findings(_ outcomes: [InputOutcome], _ definition: PipelineDefinition)
    -> [WarningThrottle.Found]
  {
    let found = outcomes.filter {
      !$0.lackingColumns.isEmpty && $0.notices.otherEvents < $0.usedRecords
    }.map { outcome in
      let pattern = definition.entry(of: outcome.path, kind: .exports)
      return (
        path: outcome.path, entry: pattern?.text ?? outcome.path,
        format: pattern?.fieldMapping?.export?.name ?? "", columns: outcome.lackingColumns
      )
    }
    return EntryGroups.grouped(found) { "\($0.format) \($0.columns.map(\.name))" }.map { group in
      let first = group[0]
      let files = EntryGroups.subject(
        OneLine.text(first.path), count: group.count, entry: first.entry)
      let names = first.columns.map(\.name).joined(separator: ", ")
      let unknown = first.columns.map { consequence(of: $0.column) }.joined(separator: "; ")
      return WarningThrottle.Found(
        fault: "lacking_column \(first.format) \(names)",
        message:
          "\(files) \(group.count == 1 ? "has" : "have") no \(names), so \(unknown). Export the "
          + "\(first.columns.count == 1 ? "column" : "columns") too, for all days. "
          + DocsPage.inputs.reference,
        duration: .onceForAll)
    }
  }

  private static func consequence(of column: LackingColumn) -> String {
    switch column {
    case .sandbox: "test purchases count as revenue"
    case .ownership: "purchases of family members count as paid"
    case .refunds: "refunds are not known, and net revenue is too high"
    case .trials: "trials are told by an amount of 0 only, if at all"
    case .introductory: "introductory prices are told by their lower amount only, if at all"
    case .offers: "purchases at an offer's price are told by their lower amount only, if at all"
    case .grossPrice: "a refund in part counts as whole"
    }
  }
}
