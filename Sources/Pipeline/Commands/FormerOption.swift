internal import Diagnostics
internal import Pipeline

/// Options of earlier versions, in whose place `--accept` names gates.
///
/// Example: `paidline run --accept-volume` says `--accept-volume is now --accept volume_drop`.
enum FormerOption {
  /// The gates that each option accepted.
  private static let gates: [String: [Gate]] = [
    "--accept-held": [.rejectedShare, .noUsableRecord],
    "--accept-volume": [.volumeDrop],
    "--accept-coverage": [.coverageFloor],
    "--allow-empty": [.emptyFile],
  ]

  /// The advice for the first former option; `nil` without one.
  static func failure(in arguments: [String]) -> RunFailure? {
    for option in arguments {
      guard let gates = gates[option] else { continue }
      let names = gates.map(\.rawValue).joined(separator: ",")
      return RunFailure(
        .usage,
        "\(option) is now --accept \(names), which names the gates that one run may pass. "
          + DocsPage.gates.reference)
    }
    return nil
  }
}
