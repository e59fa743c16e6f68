internal import Diagnostics
internal import Synchronization

/// The findings of gates that are evaluated just before facts become visible.
///
/// The gates are evaluated within the publishing transaction, and print nothing there. The warnings
/// are printed after the publication.
final class EvaluatedGates: Sendable {
  private struct Found: Sendable {
    var gateResult = GateResult()
    var others: [WarningThrottle.Found] = []
  }

  private let found = Mutex(Found())

  /// The outcomes of the gates; empty before the gates are evaluated.
  var outcomes: [GateOutcome] { found.withLock { $0.gateResult.outcomes } }

  /// The findings that stop the run.
  var stops: [GateFinding] { found.withLock { $0.gateResult.stops } }

  /// The warnings to print after the facts are published.
  var faults: [WarningThrottle.Found] {
    found.withLock { $0.gateResult.warnings.map(WarningThrottle.Found.init) + $0.others }
  }

  /// Keeps the result of the gates, with the faults that no gate checks.
  ///
  /// - Returns: The outcomes of the gates.
  /// - Throws: ``RunFailure`` with status 65 if the facts must not be published.
  func keep(_ gateResult: GateResult, others: [WarningThrottle.Found]) throws(RunFailure)
    -> [GateOutcome]
  {
    found.withLock { $0 = Found(gateResult: gateResult, others: others) }
    if let failure = gateResult.failure { throw failure }
    return gateResult.outcomes
  }
}
