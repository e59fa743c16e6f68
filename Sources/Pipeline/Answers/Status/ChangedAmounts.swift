package import Diagnostics
internal import SharedTables
package import Pipeline
internal import Warehouse

/// The published amounts that the newest run changed: `paidline status --changes`.
package struct ChangedAmounts {
  /// The newest run that published; `nil` if none has.
  var run: Int64?
  /// The first changes, by purchase day, the newest first.
  var changes: [PublishedChange] = []
  /// The number of changes of the run that the warehouse keeps.
  var count = 0

  private static let linesShown = 20

  /// Reads the changes: the first few, or all.
  package static func read(_ definition: PipelineDefinition, all: Bool) throws(RunFailure)
    -> ChangedAmounts
  {
    guard try WarehouseDatabase(path: definition.warehousePath).exists() else {
      return ChangedAmounts()
    }
    return try PublishedWarehouse(definition).read { db in
      guard let run = try PublishedChange.newestRun(on: db) else { return ChangedAmounts() }
      return ChangedAmounts(
        run: run,
        changes: try PublishedChange.changes(
          ofRun: run, limit: all ? AmountChange.mostKept : linesShown, on: db),
        count: try PublishedChange.count(ofRun: run, on: db))
    }
  }

  /// The changes as a table under a heading.
  var lines: [String] {
    guard let run else { return ["Nothing is published yet."] }
    guard count > 0 else { return ["Run \(run) changed no published amount."] }
    var table = TextTable([
      ("transaction", .left), ("product", .left), ("purchased", .left), ("was", .left),
      ("is", .left), ("cause", .left),
    ])
    for one in changes {
      table.add([
        OneLine.text(one.transactionID ?? "purchase \(one.change.purchaseKey)"),
        OneLine.text(one.productID ?? ""), one.day ?? "",
        AmountChangeText.side(one.change.old), AmountChangeText.side(one.change.new),
        one.change.cause.rawValue,
      ])
    }
    let more = count - changes.count
    return ["Published amounts that run \(run) changed: \(count)", table.text]
      + (more > 0 ? ["and \(more) more (--all shows them)"] : [])
      + (count == AmountChange.mostKept
        ? ["No more than \(count) are kept; `audit_restatement` adds up all of them."] : [])
  }

  var json: JSONText {
    .object([
      .init("run_id", .number(orNull: run)), .init("count", .number(Int64(count))),
      .init(
        "changes",
        .list(
          changes.map { one in
            .object([
              .init("purchase_key", .text(String(one.change.purchaseKey))),
              .init("transaction_id", .text(orNull: one.transactionID)),
              .init("product_id", .text(orNull: one.productID)),
              .init("purchased_date", .text(orNull: one.day)),
              .init("old", AmountChangeText.json(one.change.old)),
              .init("new", AmountChangeText.json(one.change.new)),
              .init("cause", .text(one.change.cause.rawValue)),
            ])
          })),
    ])
  }
}
