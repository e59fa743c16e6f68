package import Diagnostics
package import GRDB
internal import Warehouse

/// The published warehouse of a pipeline, opened to read.
package struct WarehouseReader {
  private let warehouse: PublishedWarehouse

  /// Opens the warehouse of a pipeline.
  ///
  /// - Throws: ``RunFailure`` with status 66 if none has been published yet, and 78 for a file
  ///   of another program or schema version.
  package init(_ definition: PipelineDefinition) throws(RunFailure) {
    let path = definition.warehousePath
    guard PathStatus.exists(path) else {
      throw RunFailure(
        .inputMissing,
        "\(OneLine.text(path)): nothing is published yet; run `paidline run "
          + "\(OneLine.text(definition.path))` first")
    }
    warehouse = try PublishedWarehouse(path: path)
  }

  /// Reads in one transaction.
  package func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    try warehouse.read(body)
  }
}
