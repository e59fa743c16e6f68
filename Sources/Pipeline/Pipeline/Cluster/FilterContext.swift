package import CivilTime
package import Diagnostics

/// What every task of a filter reads beside its input: the pipeline, and rows of earlier filters.
///
/// The rows are in side files, in any order; their tags show what they are.
package struct FilterContext {
  /// Rows of an earlier filter that a filter needs.
  private struct Side {
    var tags: Set<String>
    /// The filters that write the rows.
    var writers: String

    static let files = Side(tags: FilterFiles.tags, writers: "paidline-ingest gather")
    static let issues = Side(tags: AppleIssues.tags, writers: "paidline-ingest gather")
    static let products = Side(tags: ProductRows.tags, writers: "paidline-reconstruct merge")
    static let joined = Side(tags: JoinedSide.tags, writers: "paidline-reconstruct join")
    static let prices = Side(
      tags: Set(PriceBookRows.tags), writers: "paidline-reconstruct learn")
    static let cells = Side(
      tags: CellRows.tags, writers: "paidline-reconstruct book and count")
    static let all = [files, issues, products, joined, prices, cells]
  }

  package let definition: PipelineDefinition
  let settings: ReconstructSettings
  private let rows: [String: [FilterRow]]

  /// Reads the settings of a pipeline and the side files.
  package init(_ definition: PipelineDefinition, asOf: Instant?, side paths: [String])
    throws(RunFailure)
  {
    self.definition = definition
    settings = try ReconstructSettings.read(definition, asOf: asOf)
    rows = try FilterInput.rows(
      ofFiles: paths, Side.all.reduce(into: []) { $0.formUnion($1.tags) })
  }

  /// Whether a side file announces rows of an earlier filter, with a line `#end` for a tag.
  private func holds(_ side: Side) -> Bool { !side.tags.isDisjoint(with: rows.keys) }

  /// Returns the rows of an earlier filter.
  ///
  /// A tag that no line `#end` announces was lost between the filters.
  private func rows(_ side: Side, because reason: String = "") throws(RunFailure) -> [FilterRow] {
    let lost = side.tags.subtracting(rows.keys)
    guard lost.isEmpty else {
      let tags = lost.sorted().map { "`\($0)`" }.joined(separator: ", ")
      throw RunFailure(
        .usage,
        "expected the rows \(tags) that \(side.writers) wrote\(reason): name their file with --side"
      )
    }
    return side.tags.sorted().flatMap { rows[$0] ?? [] }
  }

  /// The exports of the run.
  func files() throws(RunFailure) -> FilterFiles { try FilterFiles(rows: rows(.files)) }

  /// The facts about products.
  func products() throws(RunFailure) -> ProductRows { ProductRows(rows: try rows(.products)) }

  /// The placeholder customer ids, and the purchases of contested transaction ids.
  func joined() throws(RunFailure) -> JoinedSide { try JoinedSide(rows: rows(.joined)) }

  /// The learned prices.
  func prices() throws(RunFailure) -> PriceBookRows { try PriceBookRows(rows: rows(.prices)) }

  /// Apple's reports; `nil` if the pipeline has none.
  func issues(_ files: FilterFiles) throws(RunFailure) -> AppleIssues? {
    if !holds(.issues), definition.reportPatterns.isEmpty { return nil }
    let reason = ", because \(OneLine.text(definition.path)) has inputs.apple_reports"
    return try AppleIssues(rows: rows(.issues, because: reason), files, settings)
  }

  /// Apple's reports, without a file if the pipeline has none.
  func usedIssues(_ files: FilterFiles) throws(RunFailure) -> AppleIssues {
    if let issues = try issues(files) { return issues }
    return try AppleIssues(rows: [], files, settings)
  }

  /// The units in each cell of Apple's reports; `nil` if no report is used.
  func cells(_ issues: AppleIssues?) throws(RunFailure) -> CellRows? {
    if !holds(.cells), issues?.isEmpty ?? true { return nil }
    return try CellRows(rows: rows(.cells, because: ", because Apple's reports prove amounts"))
  }
}
