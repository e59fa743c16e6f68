internal import Diagnostics
internal import Logging

/// The second stage: facts out of the working database.
struct ReconstructStage {
  let definition: PipelineDefinition
  let options: ReconstructOptions
  let log: Logger

  func run() throws(RunFailure) {}
}
