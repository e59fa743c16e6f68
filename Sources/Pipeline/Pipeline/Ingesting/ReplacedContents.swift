internal import Diagnostics
internal import PurchaseModel
internal import SharedTables
internal import StateStore

/// The stored contents of paths that now have other content.
struct ReplacedContents {
  /// A path with its content now, and the stored files with its earlier contents.
  ///
  /// Contents that still stand at another path are left out.
  private struct Place {
    var input: FoundInput
    var identity: InputIdentity
    var isAdded: Bool
    var earlier: [StoredFile]
    /// The number of records of content that is new or held; `nil` for any other content.
    var waitingRecords: Int?
  }

  private var places: [Place] = []

  /// Compares the found files and their outcomes with the files in state.db.
  init(_ found: [FoundInput], _ outcomes: [InputOutcome], _ stored: [StoredFile]) {
    let results = Dictionary(grouping: outcomes, by: \.path)
    let standing = Set(outcomes.map(\.identity))
    let own = Dictionary(stored.map { ($0.identity, $0) }) { $1 }
    let gone = Dictionary(grouping: stored.filter { !standing.contains($0.identity) }) {
      FilePaths.name(of: $0.name)
    }
    for input in found where input.kind != .appleReports && input.path != "-" {
      guard let outcome = results[input.path]?.first(where: { $0.identity.kind == input.kind })
      else { continue }
      let earlier = (gone[FilePaths.name(of: input.path)] ?? []).filter { file in
        file.kind == input.kind && SupersededFiles.isSamePlace(input.path, file.name)
      }
      guard !earlier.isEmpty else { continue }
      let isAdded = outcome.result == .added
      let waiting: Int? =
        switch own[outcome.identity] {
        case let file? where file.status == .held: isAdded ? outcome.records : file.tally.records
        case .some: nil
        case nil: isAdded ? outcome.records : nil
        }
      places.append(
        Place(
          input: input, identity: outcome.identity, isAdded: isAdded, earlier: earlier,
          waitingRecords: waiting))
    }
  }

  /// The new contents that take the place of a used file, for the commit of the new contents.
  var added: [ContentReplacement] {
    places.filter { $0.isAdded && $0.input.replaces }.compactMap { place in
      place.earlier.first { $0.status == .used }.map { file in
        ContentReplacement(
          sha256: place.identity.sha256, kind: place.identity.kind, file: file.id)
      }
    }
  }

  /// The stored files that the contents of whole tables replace, or will once they are used.
  var replaced: Set<Int64> {
    Set(places.filter(\.input.replaces).flatMap(\.earlier).map(\.id))
  }

  /// The whole tables with content that is not used yet, and would replace used content.
  var waiting: [ShrunkTableGate.Table] {
    places.filter(\.input.replaces).compactMap { place in
      guard let records = place.waitingRecords, records > 0,
        let before = place.earlier.filter({ $0.status == .used }).map(\.tally.records).max()
      else { return nil }
      return ShrunkTableGate.Table(
        path: place.input.path, identity: place.identity, records: records, before: before)
    }
  }

  /// The files whose content must be removed: the content at their path is used, and is the whole
  /// table.
  ///
  /// These are contents that were held, refused, or read before the entry had `replaces: true`.
  func outdated(_ stored: [StoredFile]) -> [Int64] {
    let used = Set(
      stored.filter { $0.status == .used && $0.tally.used > 0 }.map(\.identity))
    return places.filter { $0.input.replaces && used.contains($0.identity) }
      .flatMap(\.earlier).map(\.id)
  }

  /// Warns, once for each entry, of used contents whose path now has other content in use.
  ///
  /// The owner may expect that the new content replaces the earlier one.
  func warnings(_ stored: [StoredFile], _ definition: PipelineDefinition)
    -> [WarningThrottle.Found]
  {
    let used = Set(
      stored.filter { $0.status == .used && $0.tally.records > 0 }.map(\.identity))
    var entries: [(entry: InputPattern, kind: InputFile.Kind, places: [Place])] = []
    for var place in places where !place.input.replaces && used.contains(place.identity) {
      place.earlier.removeAll { !used.contains($0.identity) }
      guard !place.earlier.isEmpty,
        let entry = definition.entry(of: place.input.path, kind: place.input.kind)
      else { continue }
      if let index = entries.firstIndex(where: { $0.entry == entry }) {
        entries[index].places.append(place)
      } else {
        entries.append((entry, place.input.kind, [place]))
      }
    }
    return entries.map { entry, kind, places in
      let first = places[0]
      let hash = String(first.earlier[0].sha256.prefix(8))
      let records = Count.text(first.earlier[0].tally.records, "record")
      let path = OneLine.text(first.input.path)
      let subject =
        places.count == 1
        ? "\(path) has new content; the earlier content (\(hash), \(records)) is still used"
        : "\(places.count) files of \(OneLine.text(entry.text)) have new content, \(path) the "
          + "first; their earlier contents (\(hash), \(records)) are still used"
      let files = OneLine.text(entry.text)
      // An entry with keys or a format would lose them if it were written anew.
      let advice =
        first.input.fieldMapping?.reading(of: kind).fieldMapping.isEmpty ?? true
        ? "write the entry of inputs.\(kind.rawValue) as {files: \"\(files)\", replaces: true}"
        : "add replaces: true to the entry of inputs.\(kind.rawValue) with files: \"\(files)\""
      return WarningThrottle.Found(
        fault: "new_content \(kind.rawValue) \(entry.text)",
        message: "\(subject), too. If each content is the whole table, \(advice); "
          + "to remove the earlier content only: paidline forget "
          + "\(OneLine.text(definition.path)) --file \(hash). \(DocsPage.inputs.reference)",
        duration: .standing)
    }
  }
}
