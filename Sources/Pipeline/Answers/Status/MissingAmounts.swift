package import Diagnostics
package import Pipeline
internal import Warehouse

/// Gives advice about the rows without an amount.
package enum MissingAmounts {
  /// Returns the advice as numbered lines under a heading; a single line if there is no advice.
  package static func lines(_ definition: PipelineDefinition) throws(RunFailure) -> [String] {
    let lines = try advice(definition)
    return lines.isEmpty
      ? ["No evidence is missing: every amount that can be known is known."] : lines
  }

  /// Returns the advice that `paidline run` prints after its table; empty if there is no advice.
  package static func linesAfterTable(_ definition: PipelineDefinition) throws(RunFailure)
    -> [String]
  {
    let lines = try advice(definition)
    return lines.isEmpty ? [] : [""] + lines
  }

  private static func advice(_ definition: PipelineDefinition) throws(RunFailure) -> [String] {
    let missing = try PublishedWarehouse(definition).read { try MissingEvidence.read($0) }
    return Advice.lines(
      missing, fetchesPrices: definition.fetching?.prices != nil, pipeline: definition.path)
  }
}
