internal import Diagnostics

extension GateRules {
  /// Reads the section `gates`; returns the defaults without it.
  ///
  /// A gate is a severity, as in `volume_drop: stop`, or a mapping of severity and limits, as in
  /// `rejected_share: {severity: stop, share: 0.01, at_least: 20}`.
  ///
  /// - Throws: ``RunFailure`` with status 78, file and line if the section is wrong.
  static func read(_ top: SettingsMapping) throws(RunFailure) -> GateRules {
    var rules = GateRules()
    let names = settable.map(\.rawValue)
    guard let given = try top.mapping("gates", known: names) else { return rules }
    for gate in settable where given.has(gate.rawValue) {
      if given.isScalar(gate.rawValue) {
        rules[gate] = try severity(given, gate.rawValue)
        try rules.requireFloor(gate, in: given, hasShare: false)
        continue
      }
      guard
        let limits = try given.mapping(
          gate.rawValue, known: ["severity"] + (limitKeys[gate] ?? []))
      else { continue }
      if limits.has("severity") { rules[gate] = try severity(limits, "severity") }
      try rules.readLimits(of: gate, limits)
      try rules.requireFloor(gate, in: limits, hasShare: limits.has("share"))
    }
    return rules
  }

  /// The keys that each gate may have in addition to `severity`.
  private static let limitKeys: [Gate: [String]] = [
    .rejectedShare: ["share", "at_least"], .volumeDrop: ["share"],
    .shrunkTable: ["share"], .coverageFloor: ["share"],
    .unexplainedShare: ["share"],
    .missingExportDay: ["complete_after_days"],
  ]

  private static func severity(_ mapping: SettingsMapping, _ key: String) throws(RunFailure)
    -> Choice
  {
    try mapping.requiredValue(
      key, expected: PipelineDefinition.choices(Choice.self), read: Choice.init)
  }

  private mutating func readLimits(of gate: Gate, _ limits: SettingsMapping) throws(RunFailure) {
    let share = try limits.value(
      "share", expected: "a share from 0 to 1 with at most six decimals",
      read: PipelineDefinition.millionths)
    switch gate {
    case .rejectedShare:
      rejectedPerMillion = share ?? rejectedPerMillion
      fewestRejected =
        try limits.value(
          "at_least", expected: "a whole number from 1",
          read: { PipelineDefinition.wholeNumber($0).flatMap { $0 > 0 ? $0 : nil } })
        ?? fewestRejected
    case .volumeDrop: volumePerMillion = share ?? volumePerMillion
    case .shrunkTable: tablePerMillion = share ?? tablePerMillion
    case .unexplainedShare: unexplainedPerMillion = share ?? unexplainedPerMillion
    case .coverageFloor:
      coveragePerMillion = share ?? coveragePerMillion
      if share != nil, !limits.has("severity") { self[gate] = .stop }
    case .missingExportDay:
      completeAfterDays =
        try limits.value(
          "complete_after_days", expected: "a number of days from 1 to 366",
          read: { PipelineDefinition.wholeNumber($0).flatMap { (1...366).contains($0) ? $0 : nil } }
        )
        ?? completeAfterDays
    case .refusedFile, .noUsableRecord, .emptyFile, .unnamedFormat, .priceUnit,
      .convertedAmounts, .ambiguousProduct, .unknownTransactions, .storefrontCurrency,
      .unknownOwnership, .notSeen,
      .rebasedCurrency, .uselessResult,
      .appleReportsDiffer,
      .appleReportsImplausible, .missingReportDay, .dataTest:
      break
    }
  }

  /// Refuses the gate `coverage_floor` without the key `share`, unless the gate is off.
  ///
  /// Without a minimum, the gate would accept every result.
  private func requireFloor(_ gate: Gate, in mapping: SettingsMapping, hasShare: Bool)
    throws(RunFailure)
  {
    guard gate == .coverageFloor, self[gate] != .off, !hasShare else { return }
    throw mapping.failure(
      mapping.place == "gates" ? gate.rawValue : "share",
      expected: "a mapping with a share, such as {severity: stop, share: 0.9}")
  }
}
