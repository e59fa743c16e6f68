package import Diagnostics
package import Pipeline
internal import Warehouse

/// Where a hosted service books something else than was paid, and why.
package struct ServiceAnswer: Hashable {
  private let published: PublishedServices

  /// Reads the published comparison.
  ///
  /// - Parameters:
  ///   - service: The name of the service, such as `revenuecat`; `nil` for all.
  ///   - month: The month of purchase; `nil` for all.
  /// - Throws: ``RunFailure`` if nothing has been published.
  package static func read(
    _ definition: PipelineDefinition, service: String?, month: String?
  ) throws(RunFailure) -> ServiceAnswer {
    ServiceAnswer(
      published: try PublishedWarehouse(definition).read {
        try PublishedServices(service: service, month: month, on: $0)
      })
  }

  private func sections(withRows: Bool) -> [FactSection] {
    [published.money, published.causes] + (withRows ? [published.rows] : [])
  }

  /// Formats the comparison as text; `withRows` adds the purchases that differ.
  package func text(withRows: Bool) -> String {
    guard published.purchases > 0 else {
      return "No purchase is in a service's export, so there is nothing to compare; list the "
        + "export under inputs.exports."
    }
    return sections(withRows: withRows).map(\.text).joined(separator: "\n\n")
  }

  /// Formats the comparison as JSON; `withRows` adds the purchases that differ.
  package func json(withRows: Bool) -> JSONText {
    .object(
      [.init("purchases", .number(published.purchases))]
        + sections(withRows: withRows).map(\.json))
  }
}
