internal import StateStore
package import CivilTime
internal import Diagnostics
internal import Logging

/// Prints each standing fault on standard error once, and then weekly.
///
/// Otherwise cron would mail an equal message after every run. `paidline status` always shows the
/// fault. On a terminal, and with `--repeat-warnings`, every fault is printed in every run.
package struct WarningThrottle {
  /// A fault that a stage found in this run.
  struct Found: Hashable {
    /// The identity of the fault, which is equal in every run.
    var fault: String
    var message: String
    var duration: GateFinding.Duration
    /// The part of the message that differs from other messages of its kind.
    ///
    /// `nil` if the message must not be merged with other messages.
    var entry: String?
  }

  /// The stage that found the faults: `ingest` or `reconstruct`.
  package let stage: String
  /// Whether every fault is printed in every run.
  package let repeatsAll: Bool
  package let now: Instant

  package init(stage: String, repeatsAll: Bool, now: Instant) {
    self.stage = stage
    self.repeatsAll = repeatsAll
    self.now = now
  }

  /// The time after which a standing fault is reported again.
  static let interval = Milliseconds.days(7)

  /// Decides which faults to print in this run, and which to store.
  ///
  /// A transient finding is printed, but not stored. A fault that was found before keeps the time
  /// of its first finding, but gets the message of this run.
  func decide(_ found: [Found], known: [StandingFault]) -> (printed: [Found], kept: [StandingFault])
  {
    var printed: [Found] = []
    var kept: [StandingFault] = []
    for fault in found {
      guard fault.duration != .transient else {
        printed.append(fault)
        continue
      }
      guard !kept.contains(where: { $0.fault == fault.fault }) else { continue }
      let earlier = known.first { $0.stage == stage && $0.fault == fault.fault }
      var standing = StandingFault(
        stage: stage, fault: fault.fault, message: fault.message, since: earlier?.since ?? now,
        loggedAt: earlier?.loggedAt ?? now)
      if isDue(fault.duration, loggedAt: earlier?.loggedAt) {
        printed.append(fault)
        standing.loggedAt = now
      } else if repeatsAll {
        printed.append(fault)
      }
      kept.append(standing)
    }
    return (printed, kept)
  }

  /// Returns true if a message that was printed at a given time must be printed again.
  private func isDue(_ duration: GateFinding.Duration, loggedAt: Instant?) -> Bool {
    guard let loggedAt else { return true }
    switch duration {
    case .transient: return true
    case .onceForAll: return false
    // If the clock was set back, the fault is printed. Otherwise it might not be printed for years.
    case .standing: return loggedAt.advanced(by: Self.interval) <= now || loggedAt > now
    }
  }
}

extension WarningThrottle {
  /// The largest number of entries that one message lists.
  private static let entriesShown = 10

  /// Merges faults with messages that differ only in their entry.
  ///
  /// Example: two missing days become `no receipts for 2021-02-04, 2021-02-09, though …`.
  static func merged(_ faults: [Found]) -> [Found] {
    var merged: [Found] = []
    var groups: [String: (place: Int, entries: [String])] = [:]
    for fault in faults {
      guard let entry = fault.entry else {
        merged.append(fault)
        continue
      }
      let frame = fault.message.replacing(entry, with: "\u{0}", maxReplacements: 1)
      var group = groups[frame] ?? (merged.count, [])
      if group.entries.isEmpty { merged.append(fault) }
      group.entries.append(entry)
      groups[frame] = group
    }
    for (frame, group) in groups {
      let more = group.entries.count - entriesShown
      let entries =
        group.entries.prefix(entriesShown).joined(separator: ", ")
        + (more > 0 ? " and \(more) more" : "")
      merged[group.place].message = frame.replacing("\u{0}", with: entries)
    }
    return merged
  }

  /// Prints the faults that are due, and stores the current faults.
  ///
  /// - Parameters:
  ///   - found: All faults of this run that do not stop publication.
  ///   - stops: The findings that stop publication; they are stored but not printed, because the
  ///     caller throws an error with their messages.
  ///   - log: The log for warnings; faults that are not due are logged only with `-v`.
  func report(
    _ found: [Found], stops: [GateFinding] = [], keepingIn state: StateDatabase, log: Logger
  ) throws(RunFailure) {
    let known = try state.standingFaults()
    let decision = decide(found, known: known)
    var kept = decision.kept
    let muted = found.filter { !decision.printed.contains($0) }
    for (level, faults) in [(Logger.Level.info, muted), (.warning, decision.printed)] {
      for fault in Self.merged(faults) {
        let event = fault.fault.prefix { $0 != " " }
        log.log(level: level, "\(fault.message)", metadata: ["event": "\(event)"])
      }
    }
    for stop in stops {
      let since = known.first { $0.stage == stage && $0.fault == stop.fault }?.since
      kept.removeAll { $0.fault == stop.fault }
      kept.append(
        StandingFault(
          stage: stage, fault: stop.fault, message: stop.text(isStop: true), since: since ?? now,
          loggedAt: now))
    }
    try state.keep(kept, ofStage: stage)
  }

  /// Prints the stored faults that are due, after a run that had nothing to decide.
  func reportAgain(from state: StateDatabase, log: Logger) throws(RunFailure) {
    let known = try state.standingFaults().filter { $0.stage == stage }
    let found = known.map { fault in
      Found(
        fault: fault.fault, message: fault.message,
        duration: fault.fault == AppleReportGates.otherProducts ? .onceForAll : .standing)
    }
    try report(found, keepingIn: state, log: log)
  }
}
