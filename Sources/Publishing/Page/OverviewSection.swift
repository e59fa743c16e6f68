/// The first look: how much is known, what came in, can the night be trusted.
enum OverviewSection {
  static func make(_ figures: ReportFigures) -> PageSection {
    PageSection(
      id: "overview", title: "At a glance", short: "Overview", tiles: tiles(figures),
      panels: [PagePanel(tables: [totals(figures)])])
  }

  private static func tiles(_ figures: ReportFigures) -> [PageTile] {
    [
      coverage(figures), subscriptions(figures), conversion(figures), refunds(figures),
      tests(figures), rejects(figures),
    ]
  }

  private static func coverage(_ figures: ReportFigures) -> PageTile {
    let chargeable = figures.coverageMonths.reduce(0) { $0 + $1.chargeable }
    let known = figures.coverageMonths.reduce(0) { $0 + $1.known }
    let exact = figures.coverageMonths.reduce(0) { $0 + $1.exact }
    let unresolved = FigureText.count(chargeable - known, "row is", "rows are")
    return PageTile(
      label: "Amounts known", value: FigureText.share(known, of: chargeable) ?? "none",
      note: "of \(FigureText.count(chargeable, "row", "rows")) to be paid for; "
        + "\(FigureText.share(exact, of: chargeable) ?? "none") exact, \(unresolved) unresolved",
      tone: known == chargeable ? .good : .plain)
  }

  /// A grace period is access; billing retry without one is not.
  private static func subscriptions(_ figures: ReportFigures) -> PageTile {
    let access: Set = ["trial", "intro", "promo", "active", "grace"]
    func rows(_ isIn: (String) -> Bool) -> Int64 {
      figures.subscriptions.filter { isIn($0.name) }.reduce(0) { $0 + $1.count }
    }
    let all = FigureText.count(rows { _ in true }, "subscription", "subscriptions")
    return PageTile(
      label: "Subscriptions with access", value: FigureText.count(rows(access.contains)),
      note: "of \(all) ever; \(FigureText.count(rows { $0 == "trial" })) in a trial, "
        + "\(FigureText.count(rows { $0 == "billing_retry" })) in billing retry")
  }

  private static func conversion(_ figures: ReportFigures) -> PageTile {
    let trials = figures.cohorts.filter { $0.offerKind == "trial" }.map(\.outcome)
    let begun = trials.reduce(0) { $0 + $1.begun }
    let converted = trials.reduce(0) { $0 + $1.sameProduct }
    let open = trials.reduce(0) { $0 + $1.open }
    return PageTile(
      label: "Trials that became paid",
      value: FigureText.share(converted, of: begun) ?? "none",
      note: "\(FigureText.count(converted)) of \(FigureText.count(begun)) to the same product; "
        + "\(FigureText.count(open)) still open")
  }

  private static func refunds(_ figures: ReportFigures) -> PageTile {
    let paid = figures.refundRates.reduce(0) { $0 + $1.paid }
    let refunded = figures.refundRates.reduce(0) { $0 + $1.refunded }
    return PageTile(
      label: "Refunded", value: FigureText.share(refunded, of: paid) ?? "none",
      note: "\(FigureText.count(refunded)) of \(FigureText.count(paid, "paid row", "paid rows"))")
  }

  private static func tests(_ figures: ReportFigures) -> PageTile {
    let failed = figures.tests.count { $0.failingRows > 0 }
    let noted = "of \(FigureText.count(Int64(figures.tests.count), "data test", "data tests"))"
    return PageTile(
      label: "Data tests without a finding", value: "\(figures.tests.count - failed)",
      note: failed == 0 ? "\(noted): all of them" : "\(noted); \(failed) with a warning",
      tone: failed == 0 ? .good : .warn)
  }

  private static func rejects(_ figures: ReportFigures) -> PageTile {
    PageTile(
      label: "Records that could not be used",
      value: FigureText.count(figures.run.rejected),
      note: "of \(FigureText.count(figures.run.records)) in "
        + FigureText.count(figures.run.files, "file", "files"),
      tone: figures.run.rejected == 0 ? .good : .warn)
  }

  private static func totals(_ figures: ReportFigures) -> PageTable {
    PageTable(
      caption: "Revenue by currency, all time. Amounts of different currencies are never added.",
      columns: [
        .text("Currency"), .number("Paid"), .number("At least"), .number("At most"),
        .number("Refunds"), .number("Rows unresolved"),
      ],
      rows: figures.currencies.map { line in
        [
          .currency(line.currency), .amount(line.total.gross, line.currency),
          .amount(line.total.low, line.currency),
          .amount(line.total.high, line.currency, unknown: "no bound known"),
          .amount(line.refunds, line.currency), .count(line.total.unresolvedRows),
        ]
      },
      whenEmpty: "Nothing was bought yet.")
  }
}
