package import Diagnostics
package import Pipeline
internal import StateStore

extension StatusAnswer {
  /// Reads the warning of the last run about catalogue lines that are not used, because several
  /// apps sell their product id.
  ///
  /// - Returns: One text, or none.
  package static func linesWithoutApp(_ definition: PipelineDefinition) throws(RunFailure)
    -> [String]
  {
    guard PathStatus.exists(definition.statePath) else { return [] }
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let faults = try state.standingFaults()
    return faults.filter { $0.fault == FactGates.linesWithoutApp }.map(\.message)
  }
}
