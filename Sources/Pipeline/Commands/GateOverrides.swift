internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// The operator's options about gates and warnings for one run.
struct GateOverrides: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish even if these gates would stop the run, such as rejected_share,volume_drop.",
      valueName: "gate,gate"))
  var accept: GateList?

  @Flag(help: "Print every warning, also those that are otherwise repeated only weekly.")
  var repeatWarnings = false

  /// The pipeline's gate settings, combined with these options.
  func gatePolicy(_ definition: PipelineDefinition) -> GatePolicy {
    GatePolicy(rules: definition.gates, accepted: accept?.gates ?? [])
  }

  /// Decides which standing faults are printed again.
  func throttle(stage: String) -> WarningThrottle {
    WarningThrottle(
      stage: stage, repeatsAll: repeatWarnings || Terminal.isError, now: SystemClock.now)
  }
}

/// Names of gates, separated by commas.
struct GateList: ExpressibleByArgument, Hashable {
  let gates: Set<Gate>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let gates = names.compactMap { Gate(rawValue: String($0)) }
    guard gates.count == names.count, gates.allSatisfy(GateRules.settable.contains) else {
      return nil
    }
    self.gates = Set(gates)
  }

  static var allValueStrings: [String] { GateRules.settable.map(\.rawValue) }
}
