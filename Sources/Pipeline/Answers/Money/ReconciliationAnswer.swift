package import Diagnostics
package import Pipeline
package import Warehouse

/// The published comparison of the facts with Apple's reports.
package struct ReconciliationAnswer {
  private let published: PublishedComparison
  private let part: ComparedPart
  /// The rows of facts from which each difference comes; `nil` if they were not requested.
  private let rows: FactSection?

  /// Reads the published comparison.
  ///
  /// - Throws: ``RunFailure`` if nothing has been published, or no purchase is of the app.
  package static func read(_ definition: PipelineDefinition, _ part: ComparedPart, withRows: Bool)
    throws(RunFailure) -> ReconciliationAnswer
  {
    try PublishedWarehouse(definition).read { db in
      if let app = part.app {
        let apps = try ComparedPart.apps(on: db)
        guard apps.contains(app) else {
          throw RunFailure(
            .inputMissing,
            "no product is of the app \(OneLine.text(app)); the published apps are: "
              + (apps.isEmpty ? "none" : apps.joined(separator: ", ")))
        }
      }
      return ReconciliationAnswer(
        published: try PublishedComparison(part, rates: definition.reportingRates, on: db),
        part: part, rows: withRows ? try PublishedComparison.rows(part, on: db) : nil)
    }
  }

  /// The comparison as text.
  package var text: String {
    guard let days = published.days else {
      let time = part.month.map { " of \($0)" } ?? ""
      let none =
        "No Sales, Subscriber or Finance Detail report\(time) was read; list these "
        + "reports under inputs.apple_reports. \(DocsPage.books.reference)"
      return published.events.rows.isEmpty ? none : "\(none)\n\n\(published.events.text)"
    }
    let equal = published.equalShare.map { share in
      let own = published.shareFromReports.map {
        "Its price comes from Apple's reports for at most \(Share.percent($0, 10_000)) of it, "
          + "whose agreement proves nothing.\n"
      }
      return "\(Share.percent(share, 10_000)) of the money of Apple's reports and of the facts is "
        + "the same charge at the same price.\n" + (own ?? "")
    }
    let scope = published.scope?.text.map { $0 + "\n" }
    let head =
      (equal ?? "") + (scope ?? "")
      + "Compared with Apple's reports of \(Count.text(Int(days.count), "day")), \(days.first) to "
      + "\(days.last), in Pacific time."
      + (days.missing > 0
        ? " \(Count.text(Int(days.missing), "day")) between them without a report: "
          + "the money of the facts on these days is no_report."
        : "")
    let proceeds = [published.proceeds, published.fiscalMonths, published.events]
      .filter { !$0.rows.isEmpty }
    let sections =
      [published.totals, published.causes, published.cells] + proceeds + [rows].compactMap(\.self)
    return ([head] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// The comparison as JSON; `_milli` values are thousandths of the currency's main unit.
  package var json: JSONText {
    .object(
      [
        .init("first_day", .text(orNull: published.days?.first)),
        .init("last_day", .text(orNull: published.days?.last)),
        .init("days", .number(published.days?.count ?? 0)),
        .init("days_missing", .number(published.days?.missing ?? 0)),
        .init("equal_bp", .number(orNull: published.equalShare)),
        .init("equal_from_reports_bp", .number(orNull: published.shareFromReports)),
        .init("equal_currency", .text(orNull: published.scope?.currency)),
        .init("equal_doubted_units", .number(published.scope?.doubted ?? 0)),
        .init("equal_missing", .list((published.scope?.missing ?? []).map(json))),
        published.totals.json, published.causes.json, published.cells.json,
        published.proceeds.json, published.fiscalMonths.json, published.events.json,
      ] + [rows?.json].compactMap(\.self))
  }

  private func json(_ missing: ComparedScope.Missing) -> JSONText {
    .object([.init("currency", .text(missing.currency)), .init("units", .number(missing.units))])
  }
}
