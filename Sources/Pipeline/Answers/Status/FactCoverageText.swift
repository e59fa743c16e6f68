internal import Diagnostics
internal import Pipeline
internal import Warehouse

extension FactCoverage {
  /// The lines of `paidline status` about purchases with a customer id, and excluded purchases.
  var lines: [String] {
    var lines: [String] = []
    if purchases > 0 {
      let advice = withCustomer == 0 ? "; no usable customer_id in the records" : ""
      lines.append(
        "Customers      \(withCustomer) of \(Count.text(purchases, "purchase")) with a customer id"
          + advice)
    }
    if !excluded.isEmpty {
      let reasons = excluded.map { "\($0.purchases) \($0.reason)" }.joined(separator: ", ")
      lines.append("Not revenue    \(reasons)")
    }
    return lines
  }

  var json: JSONText {
    .object([
      .init("purchases", .number(purchases)), .init("with_customer", .number(withCustomer)),
      .init(
        "excluded", .object(excluded.map { .init($0.reason, .number($0.purchases)) })),
    ])
  }
}
