internal import SharedTables
package import Diagnostics

/// The gates that would stop a run, as far as a dry run can predict them.
///
/// Example: for a file that is not gzip, the plan ends with `A run would end with status 65 and
/// publish nothing, stopped by refused_file.`
package struct PredictedStop: Hashable {
  /// The gates that would stop the run, in the order in which they were found.
  private(set) var gates: [Gate] = []

  /// Records a gate, if it would stop the run and the operator does not accept it.
  mutating func note(_ gate: Gate, _ gatePolicy: GatePolicy) {
    guard gatePolicy.stops(gate), !gates.contains(gate) else { return }
    gates.append(gate)
  }

  /// Records the gate that refused or held an input file in an earlier run.
  ///
  /// Ignores files that were held for `rejected_share`, because a plan cannot predict this gate.
  mutating func note(_ file: StoredFile, _ gatePolicy: GatePolicy) {
    if file.status == .refused {
      note(.refusedFile, gatePolicy)
    } else if file.tally.hasNoUsableRecord {
      note(.noUsableRecord, gatePolicy)
    }
  }

  /// Records a new file that would be refused, that has no usable record, or whose format must be
  /// named.
  mutating func note(_ preview: InputPreview, _ gatePolicy: GatePolicy) {
    if preview.refusal != nil {
      note(.refusedFile, gatePolicy)
    } else if preview.isComplete, preview.tally.hasNoUsableRecord {
      note(.noUsableRecord, gatePolicy)
    }
    if preview.rejects.contains(where: { $0.reason == .priceUnnamedFormat }) {
      note(.unnamedFormat, gatePolicy)
    }
  }

  /// Ends a dry run with the exit status of the predicted run, if a gate would stop that run.
  package func end() throws(RunFailure) {
    guard gates.isEmpty else { throw RunFailure(.dataRefused, "") }
  }

  /// The last line of a plan's text; empty if no gate is predicted to stop the run.
  var lines: [String] {
    guard !gates.isEmpty else { return [] }
    let names = gates.map(\.rawValue).joined(separator: ", ")
    return [
      "A run would end with status \(ExitStatus.dataRefused.rawValue) and publish nothing, stopped "
        + "by \(names). \(DocsPage.gates.reference)"
    ]
  }
}
