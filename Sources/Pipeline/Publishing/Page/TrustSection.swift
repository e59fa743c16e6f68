internal import Pipeline
internal import Warehouse

/// The quality of the figures, in three numbers.
enum TrustSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "trust", title: "Can these figures be trusted?", short: "Trust",
      paragraphs: [
        "How many amounts are known, which rule decided each amount, how often the rules are right "
          + "where Apple has signed the price, and what was checked before publishing."
      ],
      tiles: [coverage(figures), tests(figures), rejects(figures)],
      panels: [advice(figures)].compactMap(\.self))
  }

  /// Creates the panel about evidence that would make unknown amounts known; `nil` if there is
  /// none.
  private static func advice(_ figures: PageFigures) -> PagePanel? {
    let advice = Advice.all(
      figures.missing, fetchesPrices: figures.fetchesPrices, pipeline: figures.pipelineName)
    guard !advice.isEmpty else { return nil }
    return PagePanel(
      heading: "What would make unknown amounts known",
      note: "Sorted by money, the largest sum first; paidline status --advice prints this list.",
      tables: [
        PageTable(
          caption: "Missing evidence, and what to add",
          columns: [.text("What is missing"), .text("What to do")],
          rows: advice.prefix(Advice.shown).map { [.foreign($0.finding), .code($0.line)] })
      ])
  }

  private static func coverage(_ figures: PageFigures) -> PageTile {
    let chargeable = figures.coverageMonths.reduce(0) { $0 + $1.chargeable }
    let known = figures.coverageMonths.reduce(0) { $0 + $1.known }
    let exact = figures.coverageMonths.reduce(0) { $0 + $1.exact }
    let unresolved = FigureText.count(chargeable - known, "row is", "rows are")
    return PageTile(
      label: "Amounts known", value: FigureText.share(known, of: chargeable) ?? "none",
      note: "of \(FigureText.count(chargeable, "chargeable row", "chargeable rows")); "
        + "\(FigureText.share(exact, of: chargeable) ?? "none") exact, \(unresolved) unresolved",
      tone: known == chargeable ? .good : .plain)
  }

  private static func tests(_ figures: PageFigures) -> PageTile {
    let failed = figures.tests.count { $0.failingRows > 0 }
    let noted = "of \(FigureText.count(Int64(figures.tests.count), "data test", "data tests"))"
    return PageTile(
      label: "Data tests without a finding", value: "\(figures.tests.count - failed)",
      note: failed == 0 ? "all data tests" : "\(noted); \(failed) with a warning",
      tone: failed == 0 ? .good : .warn)
  }

  private static func rejects(_ figures: PageFigures) -> PageTile {
    PageTile(
      label: "Records that could not be used",
      value: FigureText.count(figures.run.rejected),
      note: "of \(FigureText.count(figures.run.records)) in "
        + FigureText.count(figures.run.files, "file", "files"),
      tone: figures.run.rejected == 0 ? .good : .warn)
  }
}
