internal import SharedTables
package import Diagnostics
internal import StateStore

/// The gates that would stop a run for certain, as far as a dry run can predict.
///
/// Example: a file that is no gzip makes the plan end with "A run would end with status 65 and
/// publish nothing: refused_file."
package struct PlannedEnding: Hashable {
  /// The gates that would stop the run, in the order in which they were found.
  private(set) var gates: [Gate] = []

  /// Records a gate that stops, unless it only warns or is accepted.
  mutating func note(_ gate: Gate, _ gatePolicy: GatePolicy) {
    guard gatePolicy.stops(gate), !gates.contains(gate) else { return }
    gates.append(gate)
  }

  /// Notes a file that an earlier run refused or held, and that is still an input.
  ///
  /// Files are held together for their share of rejects, which a plan cannot predict.
  mutating func note(_ file: StoredFile, _ gatePolicy: GatePolicy) {
    if file.status == .refused {
      note(.refusedFile, gatePolicy)
    } else if file.tally.isBarren {
      note(.noUsableRecord, gatePolicy)
    }
  }

  /// Notes a new file that is refused, or none of whose records can be used.
  mutating func note(_ look: InputPreview, _ gatePolicy: GatePolicy) {
    if look.refusal != nil {
      note(.refusedFile, gatePolicy)
    } else if look.sawAll, look.tally.isBarren {
      note(.noUsableRecord, gatePolicy)
    }
  }

  /// Ends a dry run with the status that its plan announces.
  package func end() throws(RunFailure) {
    guard gates.isEmpty else { throw RunFailure(.dataRefused, "") }
  }

  /// The last line of a plan; none if nothing is certain to stop the run.
  var lines: [String] {
    guard !gates.isEmpty else { return [] }
    let names = gates.map(\.rawValue).joined(separator: ", ")
    return [
      "A run would end with status \(ExitStatus.dataRefused.rawValue) and publish nothing: "
        + "\(names). \(DocsPage.gates.reference)"
    ]
  }
}
