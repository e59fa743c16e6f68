internal import Diagnostics

/// What a run would read.
struct RunPlan {
  var json: JSONText { .null }
  var text: String { "" }
  static func make(_ definition: PipelineDefinition) throws(RunFailure) -> RunPlan { RunPlan() }
}
