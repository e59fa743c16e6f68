internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SharedTables
internal import StateStore

/// The gate `no_usable_record` for the exports of hosted services: no record is a purchase.
///
/// Most likely, the entry names the format of another service: then every record is an event of an
/// unknown name, or of none, and no record is rejected. But a file of webhooks may hold such events
/// alone because nothing was bought on that day. So nothing is reported if any file that was read
/// with the same settings has a purchase, other than the content that a whole table replaces.
struct OtherExportsGate {
  let definition: PipelineDefinition
  let state: StateDatabase

  /// Returns true if files that are read together must be held, because of the files in which no
  /// record is a purchase.
  func holds(_ step: IntakeStep) throws(RunFailure) -> Bool {
    let others = Set(step.outcomes.filter(Self.hasOtherEvents).map(\.identity))
    let read = step.files.filter { $0.kind == .exports }
    let readings = Set(read.filter { $0.isBare && others.contains($0.identity) }.map(\.reading))
    let identities = Set(read.map(\.identity))
    let replaced = step.contents?.replaced ?? []
    for reading in readings where !read.contains(where: { !$0.isBare && $0.reading == reading }) {
      let others = Self.files(
        step.stored.filter { !identities.contains($0.identity) && !replaced.contains($0.id) },
        readWith: reading)
      if try state.bareFiles(among: others).count == others.count { return true }
    }
    return false
  }

  /// Returns the new files in which no record is a purchase, if no file with the same settings has
  /// a purchase.
  func found(
    _ outcomes: [InputOutcome], _ stored: [StoredFile], replaced: Set<Int64>
  ) throws(RunFailure) -> [(file: StoredFile, outcome: InputOutcome)] {
    var found: [(file: StoredFile, outcome: InputOutcome)] = []
    let own = Dictionary(stored.map { ($0.identity, $0) }) { $1 }
    for outcome in outcomes.sorted(by: { $0.path < $1.path }) where Self.hasOtherEvents(outcome) {
      guard let file = own[outcome.identity] else { continue }
      let alike = Self.files(
        stored.filter { !replaced.contains($0.id) }, readWith: file.reading)
      if try state.bareFiles(among: alike).count == alike.count { found.append((file, outcome)) }
    }
    return found
  }

  /// Returns one finding for the files of each entry.
  func findings(_ found: [(file: StoredFile, outcome: InputOutcome)]) -> [GateFinding] {
    let entries = EntryGroups(definition: definition)
    let groups = EntryGroups.grouped(found) { entries.entry(of: $0.file) }
    return groups.enumerated().compactMap { number, group in
      let (file, outcome) = group[0]
      guard let format = definition.entry(of: file.name, kind: .exports)?.fieldMapping?.export
      else { return nil }
      let entry = entries.entry(of: file)
      let subject = EntryGroups.subject(
        OneLine.text(file.name), count: group.count, entry: entry)
      let event = outcome.notices.firstOtherEvent
      let first =
        event.isEmpty
        ? "the first has no \(format.eventPath)" : "the first is \(OneLine.text(event))"
      let purchases = format.purchaseEvents.joined(separator: ", ")
      var lines = [
        "no record of \(subject) is an event of a purchase in the format \(format.name): \(first); "
          + "purchases are \(purchases)."
      ]
      // The files may have the named format, and only events that this version does not know.
      if number < MisplacedInput.shown,
        let advice = MisplacedInput.advice(on: entries.place(of: file), listedAs: .exports),
        !advice.contains(format.name)
      {
        lines.append("  \(advice)")
      }
      var finding = GateFinding(
        .noUsableRecord,
        group.map { file, outcome in
          GateFinding.Item(
            subject: file.name,
            found: "\(Count.text(outcome.records, "record")) without a purchase",
            expected: "events of \(format.name), such as \(format.purchaseEvents.first ?? "")")
        }, message: lines.joined(separator: "\n"), fault: "no_usable_record \(entry) events")
      finding.remedy = "Correct the format in the entry, or replace the file."
      finding.page = .inputs
      return finding
    }
  }

  /// The held exports without a purchase; only their reading tells whether they have other events.
  static func undecided(_ stored: [StoredFile], in state: StateDatabase) throws(RunFailure)
    -> Set<Int64>
  {
    try state.bareFiles(
      among: stored.filter { $0.kind == .exports && $0.status == .held }.map(\.id))
  }

  private static func files(_ stored: [StoredFile], readWith reading: FileReading) -> [Int64] {
    stored.filter { $0.kind == .exports && $0.reading.fieldMapping == reading.fieldMapping }
      .map(\.id)
  }

  private static func hasOtherEvents(_ outcome: InputOutcome) -> Bool {
    outcome.identity.kind == .exports && outcome.result == .added
      && outcome.notices.otherEvents > 0
  }
}

extension IngestBatch.ReadFile {
  /// The identity of the file: its content and its kind.
  fileprivate var identity: InputIdentity { InputIdentity(sha256: sha256, kind: kind) }
}
