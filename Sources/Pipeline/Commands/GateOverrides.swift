internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// The options with which one run overrides the pipeline's gates or repeats all warnings.
struct GateOverrides: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish even if these gates would stop the run, such as rejected_share,volume_drop.",
      valueName: "gate,gate"))
  var accept: GateList?

  @Flag(help: "Print every warning, including those that are usually repeated only weekly.")
  var repeatWarnings = false

  /// Returns the gate settings of the pipeline; the gates in `--accept` do not stop the run.
  func gatePolicy(_ definition: PipelineDefinition) -> GatePolicy {
    GatePolicy(rules: definition.gates, accepted: accept?.gates ?? [])
  }

  /// Returns the throttle for standing faults.
  ///
  /// The first run with a fault prints it; later runs with this fault print it only weekly.
  ///
  /// On a terminal, and with `--repeat-warnings`, every run prints every fault.
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
