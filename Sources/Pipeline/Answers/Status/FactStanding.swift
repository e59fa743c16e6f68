internal import Diagnostics
internal import GRDB
internal import Pipeline

/// The coverage of the published facts: the rows that name a customer, and the excluded purchases.
struct FactStanding: Hashable {
  /// The purchases excluded from revenue for one reason.
  struct Exclusion: Hashable {
    var reason: String
    var purchases: Int64
  }

  /// The purchases excluded from revenue, the commonest reason first.
  var excluded: [Exclusion] = []
  /// The purchases that are revenue, free ones among them.
  var purchases: Int64 = 0
  /// Those whose export names a customer.
  var withCustomer: Int64 = 0

  /// Reads them from the warehouse of a pipeline.
  static func read(_ definition: PipelineDefinition) throws(RunFailure) -> FactStanding {
    try WarehouseReader(definition).read { db in
      var standing = FactStanding()
      standing.excluded = try Row.fetchAll(
        db, sql: "SELECT reason, count(1) FROM excluded_purchase GROUP BY 1 ORDER BY 2 DESC, 1"
      ).map { Exclusion(reason: $0[0], purchases: $0[1]) }
      if let row = try Row.fetchOne(
        db, sql: "SELECT count(1), count(customer_key) FROM fct_revenue")
      {
        (standing.purchases, standing.withCustomer) = (row[0], row[1])
      }
      return standing
    }
  }

  /// The lines of `paidline status`: the excluded purchases, and whether customers are known.
  var lines: [String] {
    var lines: [String] = []
    if purchases > 0 {
      let advice = withCustomer == 0 ? "; the records name none under customer_id" : ""
      lines.append(
        "Customers      named for \(withCustomer) of \(Count.text(purchases, "purchase"))\(advice)")
    }
    if !excluded.isEmpty {
      let reasons = excluded.map { "\($0.purchases) \($0.reason)" }.joined(separator: ", ")
      lines.append("Left out       no revenue: \(reasons)")
    }
    return lines
  }

  /// The same for machines.
  var json: JSONText {
    .object([
      .init("purchases", .number(purchases)), .init("with_customer", .number(withCustomer)),
      .init(
        "excluded", .object(excluded.map { .init($0.reason, .number($0.purchases)) })),
    ])
  }
}
