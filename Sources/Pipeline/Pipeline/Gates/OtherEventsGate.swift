internal import SharedTables
internal import StateStore
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Reports price files in which no event has a price.
///
/// Most likely, the pipeline's entry for the files lists the wrong names under `events`. But a file
/// of webhooks may lack prices because nothing was bought on that day. So nothing is reported if
/// any file that was read with the same settings has a price report.
struct OtherEventsGate {
  let definition: PipelineDefinition
  let state: StateDatabase

  /// Returns one finding that names all new files of `inputs.prices` in which no record has a
  /// price; empty if there are none.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes of the files that the run found.
  func findings(_ outcomes: [InputOutcome], _ stored: [StoredFile]) throws(RunFailure)
    -> [GateFinding]
  {
    var found: [InputOutcome] = []
    for outcome in outcomes.sorted(by: { $0.path < $1.path })
    where outcome.result == .added && outcome.records > 0 && outcome.identity.kind == .prices
      && outcome.notices.otherEvents == outcome.records
    {
      let reading = stored.first { $0.identity == outcome.identity }?.reading.fieldMapping
      let files = stored.filter { $0.kind == .prices && $0.reading.fieldMapping == reading }
      if try !state.holdsPriceReport(ofFiles: files.map(\.id)) { found.append(outcome) }
    }
    guard let first = found.first else { return [] }
    let pattern = definition.patterns(of: .prices).first { $0.holds(first.path) }
    let names = (pattern?.fieldMapping?.eventNames ?? []).map { OneLine.text($0) }
    let wanted = names.isEmpty ? "" : "; the pipeline expects \(names.joined(separator: ", "))"
    let others = found.count > 1 ? " and \(Count.text(found.count - 1, "more file"))" : ""
    let eventName = first.notices.firstOtherEvent
    let example = eventName.isEmpty ? "" : "; the first is \(OneLine.text(eventName))"
    let isConverted = ConvertedEvents.include(eventName.replacing("the event ", with: ""))
    let advice =
      isConverted
      ? "\(ConvertedEvents.advice)."
      : "Name your event under events in the entry of inputs.prices."
    var finding = GateFinding(
      .uselessResult,
      found.map { outcome in
        GateFinding.Item(
          subject: outcome.path,
          found: "\(Count.text(outcome.records, "event")) without a price",
          expected: names.isEmpty ? "events with a price" : names.joined(separator: ", "))
      },
      message: "no record of \(OneLine.text(first.path))\(others) is an event with a "
        + "price\(example)\(wanted). \(advice)",
      fault: "useless_result events")
    finding.duration = .standing
    finding.page = .formats
    return [finding]
  }
}
