package import Diagnostics

/// The settings of a pipeline's gates: each one's action and its limits.
///
/// The defaults hold if a pipeline names nothing under `gates:`.
package struct GateRules: Hashable, Sendable {
  /// The action of a gate that trips.
  enum Choice: String, Hashable, Sendable, CaseIterable {
    /// The gate is not evaluated.
    case off
    /// A warning: the run publishes, and the finding is reported.
    case warn
    /// Nothing is published.
    case stop
  }

  /// By gate; a data test is missing here, because it always stops.
  private var choices: [Gate: Choice] = [
    .refusedFile: .stop, .rejectedShare: .stop, .noUsableRecord: .stop, .emptyFile: .warn,
    .volumeDrop: .warn, .missingExportDay: .warn, .priceUnit: .warn, .uselessResult: .warn,
    .unnamedFormat: .stop, .ambiguousProduct: .warn, .rebasedCurrency: .warn,
    .coverageFloor: .off, .unexplainedShare: .warn, .appleReportsDiffer: .warn,
    .appleReportsImplausible: .warn,
  ]
  /// The greatest share of rejected records or rows that passes, in millionths.
  var rejectedPerMillion = 10_000
  /// Fewer rejected records or rows than this pass, whatever their share.
  var fewestRejected = 20
  /// The least share of the expected records that an export day must hold, in millionths.
  var volumePerMillion = 500_000
  /// The least share of rows with a known amount, in millionths.
  var coveragePerMillion = 0
  /// The greatest share of Apple's money that may differ without an explanation, in millionths.
  var unexplainedPerMillion = 10_000
  /// The number of further export days after which a day without an export of its own is complete.
  package var completeAfterDays = 7

  /// The gates that a pipeline may set, in the order of its documentation.
  package static let settable: [Gate] = Gate.allCases.filter { $0 != .dataTest }

  /// The action of a gate when it trips.
  subscript(gate: Gate) -> Choice {
    get { choices[gate] ?? .stop }
    set { choices[gate] = newValue }
  }
}
