internal import Diagnostics
internal import Logging

/// The first stage: new exports into the working database.
struct IngestStage {
  let definition: PipelineDefinition
  let options: IngestOptions
  let log: Logger

  func run() async throws(RunFailure) {
    _ = try FoundInputs.find(definition)
  }
}
