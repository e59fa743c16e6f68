internal import Diagnostics
package import GRDB
internal import Pipeline

/// Wanted offers as the rows of a query over the warehouse.
///
/// Example: `SELECT customer_key, 'pro.monthly' AS product_id, 'win50' AS offer_id
/// FROM dim_offer_eligibility WHERE is_promo_eligible = 1`.
package struct OfferQuery {
  /// Reads the offers.
  ///
  /// - Parameters:
  ///   - sql: The query, whose columns have the names of a list's keys.
  ///   - db: The warehouse, opened to read.
  /// - Returns: The offers in the order of the rows.
  /// - Throws: ``RunFailure`` with 64 for a text that is not a query, 65 for a row that is not an
  ///   offer.
  package static func read(_ sql: String, on db: Database) throws -> [WantedOffer] {
    let statement: Statement
    do {
      statement = try db.makeStatement(sql: sql)
    } catch let error as DatabaseError {
      throw RunFailure(
        .usage, "--query: \(OneLine.text(error.message ?? "SQLite failed")); expected one SELECT")
    }
    let fields = try statement.columnNames.map { name in
      guard let field = OfferDraft.Field.allCases.first(where: { "\($0.name)" == name }) else {
        throw RunFailure(
          .usage,
          "--query: found the column \"\(OneLine.text(name))\"; expected only \(OfferDraft.names)")
      }
      return field
    }
    var offers: [WantedOffer] = []
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      var draft = OfferDraft()
      for (index, field) in fields.enumerated() {
        let value: DatabaseValue = row[index]
        let number = Int64.fromDatabaseValue(value)?.description
        let text = String.fromDatabaseValue(value) ?? number
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
