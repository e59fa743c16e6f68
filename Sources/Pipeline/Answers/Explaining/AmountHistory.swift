package import Diagnostics
internal import SharedTables
package import Pipeline
internal import Warehouse

/// The changes of a published amount by later runs, oldest first.
package struct AmountHistory: Hashable {
  private var changes: [PublishedChange] = []

  /// Reads the changes of a purchase by any of its transaction ids; empty without a warehouse.
  package static func read(_ definition: PipelineDefinition, transaction id: String)
    throws(RunFailure) -> AmountHistory
  {
    guard try WarehouseDatabase(path: definition.warehousePath).exists() else {
      return AmountHistory()
    }
    return AmountHistory(
      changes: try PublishedWarehouse(definition).read {
        try PublishedChange.changes(ofTransaction: id, on: $0)
      })
  }

  /// A heading with a line for each change; empty if no run changed the amount.
  var lines: [String] {
    guard !changes.isEmpty else { return [] }
    return ["", "Published before, and changed by later runs:"]
      + changes.map { one in
        let at = one.changedAt.map { " at \($0)" } ?? ""
        return "  run \(one.change.runID)\(at): \(AmountChangeText.sideWithRule(one.change.old)) "
          + "-> \(AmountChangeText.sideWithRule(one.change.new)); \(one.change.cause.rawValue)"
      }
  }

  var json: JSONText {
    .list(
      changes.map { one in
        .object([
          .init("run_id", .number(one.change.runID)),
          .init("changed_at", .text(orNull: one.changedAt)),
          .init("old", AmountChangeText.json(one.change.old)),
          .init("new", AmountChangeText.json(one.change.new)),
          .init("cause", .text(one.change.cause.rawValue)),
        ])
      })
  }
}
