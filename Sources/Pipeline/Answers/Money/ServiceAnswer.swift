package import Diagnostics
package import Pipeline
internal import Warehouse

/// Where a hosted service books something else than was paid, and why.
package struct ServiceAnswer: Hashable {
  private let published: PublishedServices
  /// The services whose exports the pipeline reads, by name.
  private let services: [String]

  /// Reads the published comparison.
  ///
  /// - Parameters:
  ///   - service: The name of the service, such as `revenuecat`; `nil` for all.
  ///   - month: The month of purchase; `nil` for all.
  /// - Throws: ``RunFailure`` if nothing has been published, or if the pipeline does not read the
  ///   service's export.
  package static func read(
    _ definition: PipelineDefinition, service: String?, month: String?
  ) throws(RunFailure) -> ServiceAnswer {
    let services = definition.serviceNames
    if let service, !services.isEmpty, !services.contains(service) {
      throw RunFailure(
        .usage,
        "\(OneLine.text(definition.path)) reads no export of \(service), but of "
          + "\(services.joined(separator: " and ")); name one of them, or all")
    }
    return ServiceAnswer(
      published: try PublishedWarehouse(definition).read {
        try PublishedServices(service: service, month: month, on: $0)
      }, services: services)
  }

  /// What the comparison of several services leaves out; `nil` with one service.
  private var note: String? {
    guard services.count > 1 else { return nil }
    return "The pipeline reads exports of \(services.joined(separator: " and ")). A purchase that "
      + "several have is compared with one of them, the one with the newest row; to compare all "
      + "purchases with one service, run a pipeline that reads its export alone."
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
    return (sections(withRows: withRows).map(\.text) + [note].compactMap(\.self))
      .joined(separator: "\n\n")
  }

  /// Formats the comparison as JSON; `withRows` adds the purchases that differ.
  package func json(withRows: Bool) -> JSONText {
    .object(
      [.init("purchases", .number(published.purchases))]
        + (note.map { [.init("note", .text($0))] } ?? []) + sections(withRows: withRows).map(\.json)
    )
  }
}
