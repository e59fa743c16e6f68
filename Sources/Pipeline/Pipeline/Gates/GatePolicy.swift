package import Diagnostics

/// Decides whether a finding of a gate stops the run, is a warning, or has no effect.
///
/// The decision depends on the pipeline's settings, and on the gates that the operator accepts.
package struct GatePolicy: Hashable {
  /// The settings of the gates in the pipeline.
  package let rules: GateRules
  /// The gates whose findings do not stop this run, because the operator accepts them.
  package let accepted: Set<Gate>

  package init(rules: GateRules, accepted: Set<Gate>) {
    self.rules = rules
    self.accepted = accepted
  }

  /// Returns true if a finding stops the run.
  func stops(_ finding: GateFinding) -> Bool { severity(of: finding) == .stop }

  /// Returns true if a finding of a gate stops the run, provided that the finding exceeds the limit
  /// of the gate.
  func stops(_ gate: Gate) -> Bool { rules[gate] == .stop && !accepted.contains(gate) }

  func evaluate(_ findings: [GateFinding]) -> GateResult {
    var gateResult = GateResult()
    for finding in findings {
      guard let severity = severity(of: finding) else { continue }
      gateResult.outcomes += finding.items.map { item in
        GateOutcome(
          gate: finding.gate, severity: severity, subject: item.subject, found: item.found,
          expected: item.expected)
      }
      if severity == .stop {
        gateResult.stops.append(finding)
      } else {
        gateResult.warnings.append(finding)
      }
    }
    return gateResult
  }

  /// The effect of a finding on the run; `nil` if it has no effect.
  private func severity(of finding: GateFinding) -> GateSeverity? {
    switch rules[finding.gate] {
    case .off: nil
    case .warn: .warn
    case .stop where !finding.trips: .warn
    case .stop: accepted.contains(finding.gate) ? .accepted : .stop
    }
  }
}

/// The findings of all gates, separated by their effect on the run.
struct GateResult {
  var outcomes: [GateOutcome] = []
  /// The findings that do not stop the run, including accepted findings.
  var warnings: [GateFinding] = []
  /// The findings that stop the run; empty if it may publish.
  var stops: [GateFinding] = []

  /// The failure that stops the run; `nil` if it may publish.
  var failure: RunFailure? {
    guard !stops.isEmpty else { return nil }
    let texts = Self.merged(stops).map { $0.text(isStop: true) }
    return RunFailure(
      .dataRefused, (texts + ["Nothing was published."]).joined(separator: "\n"))
  }

  /// The largest number of findings per gate that a message lists.
  private static let shown = 10

  /// Merges findings of one gate that have the same remedy; keeps their order.
  ///
  /// Example: for two refused files, the message has two lines and one remedy.
  private static func merged(_ stops: [GateFinding]) -> [GateFinding] {
    var groups: [[GateFinding]] = []
    for stop in stops {
      let place = groups.firstIndex {
        let first = $0[0]
        return first.gate == stop.gate && first.remedy == stop.remedy && first.page == stop.page
          && first.query == stop.query
      }
      if let place { groups[place].append(stop) } else { groups.append([stop]) }
    }
    return groups.map { group in
      var one = group[0]
      let more = group.count > shown ? ["and \(group.count - shown) more"] : []
      one.message = (group.prefix(shown).map(\.message) + more).joined(separator: "\n")
      return one
    }
  }
}
