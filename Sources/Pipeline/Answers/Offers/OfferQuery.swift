internal import Diagnostics
package import Warehouse

/// Wanted offers, given as the rows of a query on the warehouse.
///
/// Example: `SELECT customer_key, 'pro.monthly' AS product_id, 'win50' AS offer_id
/// FROM dim_offer_eligibility WHERE is_promo_eligible = 1`.
package struct OfferQuery {
  /// Reads the wanted offers from the rows of a query.
  ///
  /// - Parameters:
  ///   - sql: The query; its columns are named like the keys of an offer list, such as
  ///     `product_id`.
  /// - Returns: The offers, in the order of the rows.
  /// - Throws: ``RunFailure`` with status 64 for an invalid query or column, and 65 for a row that
  ///   is not an offer.
  package static func read(_ sql: String, on facts: PublishedFacts) throws -> [WantedOffer] {
    let query: AnalystQuery
    do {
      query = try AnalystQuery(sql, on: facts)
    } catch let fault as AnalystQuery.Fault {
      throw RunFailure(.usage, "--query: \(OneLine.text(fault.message)); expected one SELECT")
    }
    let fields = try query.columns.map { name in
      guard let field = OfferDraft.Field.allCases.first(where: { "\($0.name)" == name }) else {
        throw RunFailure(
          .usage,
          "--query: found the column \"\(OneLine.text(name))\"; expected only \(OfferDraft.names)")
      }
      return field
    }
    var offers: [WantedOffer] = []
    for row in try query.rows() {
      var draft = OfferDraft()
      for (field, text) in zip(fields, row) {
        guard draft.take(field, text ?? "") else {
          throw RunFailure(.usage, "--query: expected the column \(field.name) once")
        }
      }
      switch draft.offer {
      case .success(let offer): offers.append(offer)
      case .failure(let fault):
        throw RunFailure(
          .dataRefused, "--query: row \(offers.count + 1): expected \(fault.expected)")
      }
    }
    return offers
  }
}
