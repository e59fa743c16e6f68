package import Diagnostics
package import Pipeline
internal import Warehouse

/// The published facts of one customer, without the customer's id.
package struct CustomerExplanation {
  let customerKey: String
  /// The tables: subscriptions, purchases, and offers.
  let sections: [FactSection]

  /// Reads a customer from the published facts.
  ///
  /// - Parameter customer: The customer id as in the exports, which is hashed immediately, or a
  ///   `customer_key` of the warehouse.
  /// - Throws: ``RunFailure`` with status 66 if no published purchase is of this customer.
  package static func read(_ definition: PipelineDefinition, customer: String) throws(RunFailure)
    -> CustomerExplanation
  {
    let hashed = try warehouseKey(ofCustomer: customer, key: try CustomerKey.read(definition))
    return try PublishedWarehouse(definition).read { db in
      for key in [hashed, customer] {
        if let sections = try PublishedCustomer.sections(key, on: db) {
          return CustomerExplanation(customerKey: key, sections: sections)
        }
      }
      throw RunFailure(
        .inputMissing,
        "no published purchase is of this customer; check the id (its spelling, as the exports have "
          + "it), and whether the records of its purchases name a customer: paidline check --inputs"
      )
    }
  }

  /// The facts as text.
  package var text: String {
    (["Customer \(OneLine.text(customerKey))"] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// The facts as JSON.
  package var json: JSONText {
    .object([.init("customer_key", .text(customerKey))] + sections.map(\.json))
  }
}
