package import Diagnostics

/// The settings of a pipeline's gates: the action and the limits of each gate.
///
/// The defaults apply to gates that are not in the section `gates`.
package struct GateRules: Hashable, Sendable {
  /// The action of a gate if its check fails.
  enum Choice: String, Hashable, Sendable, CaseIterable {
    /// The check is not made.
    case off
    /// A warning: the finding is reported, and the run publishes.
    case warn
    /// A stop: the run ends and publishes nothing.
    case stop
  }

  /// The action of each gate.
  ///
  /// Data tests are not included, because they always stop the run.
  private var choices: [Gate: Choice] = [
    .refusedFile: .stop, .rejectedShare: .stop, .noUsableRecord: .stop, .emptyFile: .warn,
    .volumeDrop: .warn, .shrunkTable: .stop, .missingExportDay: .warn, .priceUnit: .stop,
    .uselessResult: .warn,
    .unnamedFormat: .stop, .ambiguousProduct: .warn, .rebasedCurrency: .warn,
    .convertedAmounts: .stop, .unknownTransactions: .warn, .storefrontCurrency: .warn,
    .unknownOwnership: .warn, .notSeen: .warn,
    .coverageFloor: .off, .unexplainedShare: .warn, .appleReportsDiffer: .warn,
    .appleReportsImplausible: .warn, .missingReportDay: .warn,
  ]
  /// The largest accepted rate of rejected records or rows, in millionths.
  var rejectedPerMillion = 10_000
  /// The smallest number of rejected records or rows whose rate is checked.
  ///
  /// Fewer rejects are accepted at any rate.
  var fewestRejected = 20
  /// The smallest accepted number of records of a day, in millionths of the expected number.
  var volumePerMillion = 500_000
  /// The smallest accepted number of records of a whole table, in millionths of the number before.
  var tablePerMillion = 500_000
  /// The smallest accepted rate of rows with a known amount, in millionths.
  var coveragePerMillion = 0
  /// The largest accepted difference from Apple's reports that has no known cause.
  ///
  /// In millionths of the amount in Apple's reports.
  var unexplainedPerMillion = 10_000
  /// The number of days after which a missing export is no longer expected.
  ///
  /// A day without an export is treated as complete if the newest export is at least this many days
  /// newer.
  package var completeAfterDays = 7

  /// The gates that may be set in the section `gates`, in the order of the documentation.
  package static let settable: [Gate] = Gate.allCases.filter { $0 != .dataTest }

  /// The action of a gate if its check fails.
  subscript(gate: Gate) -> Choice {
    get { choices[gate] ?? .stop }
    set { choices[gate] = newValue }
  }
}
