package import Diagnostics
package import Warehouse

extension PublishedWarehouse {
  /// Opens the warehouse of a pipeline.
  ///
  /// - Throws: ``RunFailure`` with status 66 if nothing has been published, and 78 for a file of
  ///   another program or schema version.
  package convenience init(_ definition: PipelineDefinition) throws(RunFailure) {
    let path = definition.warehousePath
    guard PathStatus.exists(path) else { throw Self.nothing(of: definition) }
    try self.init(path: path)
  }

  /// Creates the failure for a command that needs published facts, if nothing has been published.
  package static func nothing(of definition: PipelineDefinition) -> RunFailure {
    RunFailure(
      .inputMissing,
      "\(OneLine.text(definition.warehousePath)): nothing is published yet; run `paidline run "
        + "\(OneLine.text(definition.path))` first")
  }
}
