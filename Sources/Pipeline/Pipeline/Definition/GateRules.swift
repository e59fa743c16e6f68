package import Diagnostics

/// The settings of a pipeline's gates: the action and the limits of each gate.
///
/// The defaults apply to gates that are not in the section `gates`.
package struct GateRules: Hashable, Sendable {
  /// The action of a gate that has a finding.
  enum Choice: String, Hashable, Sendable, CaseIterable {
    /// The gate is not evaluated.
    case off
    /// A warning: the run publishes, and the finding is reported.
    case warn
    /// A stop: the run ends and publishes nothing.
    case stop
  }

  /// The action of each gate.
  ///
  /// Data tests are not included, because they always stop the run.
  private var choices: [Gate: Choice] = [
    .refusedFile: .stop, .rejectedShare: .stop, .noUsableRecord: .stop, .emptyFile: .warn,
    .volumeDrop: .warn, .missingExportDay: .warn, .priceUnit: .warn, .uselessResult: .warn,
    .unnamedFormat: .stop, .ambiguousProduct: .warn, .rebasedCurrency: .warn,
    .coverageFloor: .off, .unexplainedShare: .warn, .appleReportsDiffer: .warn,
    .appleReportsImplausible: .warn,
  ]
  /// The largest accepted part of rejected records or rows, in millionths.
  var rejectedPerMillion = 10_000
  /// The number of rejected records or rows below which any part is accepted.
  var fewestRejected = 20
  /// The smallest accepted number of records per export day, in millionths of the expected number.
  var volumePerMillion = 500_000
  /// The smallest accepted part of rows with a known amount, in millionths.
  var coveragePerMillion = 0
  /// The largest accepted part of Apple's money without an explanation, in millionths.
  var unexplainedPerMillion = 10_000
  /// The number of further export days after which a missing day is treated as complete.
  package var completeAfterDays = 7

  /// The gates that a pipeline may set, in the order of the documentation.
  package static let settable: [Gate] = Gate.allCases.filter { $0 != .dataTest }

  /// The action of a gate with a finding.
  subscript(gate: Gate) -> Choice {
    get { choices[gate] ?? .stop }
    set { choices[gate] = newValue }
  }
}
