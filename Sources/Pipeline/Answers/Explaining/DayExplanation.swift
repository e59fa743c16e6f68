package import CivilTime
package import Diagnostics
package import Pipeline
internal import Warehouse

/// The figures of a day (UTC), and the purchases and refunds that they are computed from.
package struct DayExplanation {
  let day: CivilDay
  /// The requested product; `nil` for all products.
  let product: String?
  /// The first and the last day with a published purchase; `nil` if no purchase is published.
  let range: (first: String, last: String)?
  /// The figures of the day, then the purchases and refunds that they are computed from.
  let sections: [FactSection]

  /// Reads the figures and rows of a day from the published facts.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a product without purchases.
  package static func read(_ definition: PipelineDefinition, day: CivilDay, product: String?)
    throws(RunFailure) -> DayExplanation
  {
    try PublishedWarehouse(definition).read { db in
      if let product { try requireKnown(product, among: try PublishedDay.products(on: db)) }
      return DayExplanation(
        day: day, product: product, range: try PublishedDay.range(on: db),
        sections: try PublishedDay.sections(day.text, product: product, on: db))
    }
  }

  private static func requireKnown(_ product: String, among products: [String]) throws(RunFailure) {
    guard !products.contains(product) else { return }
    let hint = NearestWord.suggestion(for: product, among: products).map {
      "; did you mean \"\(OneLine.text($0))\"?"
    }
    throw RunFailure(
      .inputMissing,
      "there is no published purchase of product \"\(OneLine.text(product))\""
        + (hint ?? "; the table dim_product lists the products"))
  }

  /// The figures, purchases and refunds of the day as text.
  package var text: String {
    let of = product.map { " of \(OneLine.text($0))" } ?? ""
    guard sections.contains(where: { !$0.rows.isEmpty }) else {
      let published = range.map { "; purchases are published from \($0.first) to \($0.last)" }
      return "\(day.text): no purchase or refund\(of)"
        + "\(published ?? "")."
    }
    return (["\(day.text)\(of), UTC"] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// The figures, purchases and refunds of the day as JSON.
  package var json: JSONText {
    .object(
      [.init("day", .text(day.text)), .init("product_id", .text(orNull: product))]
        + sections.map(\.json))
  }
}
