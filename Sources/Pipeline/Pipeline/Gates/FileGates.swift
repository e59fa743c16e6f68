internal import SharedTables
internal import Diagnostics

/// The gate `refused_file`: files that cannot be read whole, or must not be opened.
enum RefusedFileGate {
  /// Returns one finding for each refused file and name.
  ///
  /// - Parameters:
  ///   - names: The names that match a pattern, but must not be opened.
  /// - Returns: The findings, sorted by name.
  static func findings(
    _ files: [StoredFile], names: [RefusedName], entries: EntryGroups = EntryGroups()
  ) -> [GateFinding] {
    let refused =
      names.map { (name: $0.path, reason: $0.reason, entry: $0.path) }
      + files.map { file in
        (
          name: OneLine.text(file.name), reason: file.refusal ?? "refused",
          entry: entries.entry(of: file)
        )
      }
    let groups = EntryGroups.grouped(refused.sorted { $0.name < $1.name }) {
      "\($0.entry)\n\($0.reason)"
    }
    return groups.map { group in
      let (name, reason, entry) = group[0]
      let subject = EntryGroups.subject(name, count: group.count, entry: entry)
      let nothing = group.count == 1 ? "nothing in this file" : "nothing in these files"
      var finding = GateFinding(
        .refusedFile,
        group.map {
          GateFinding.Item(subject: $0.name, found: reason, expected: "a file that is read whole")
        },
        message: "refused \(subject): \(reason); \(nothing) is used.",
        fault: group.count == 1 ? nil : "refused_file \(entry) \(reason)")
      finding.remedy = "Replace the file, or remove it from the inputs."
      finding.page = .inputs
      finding.duration = .standing
      return finding
    }
  }
}

/// The gate `no_usable_record`: a new file has records, but none of them is usable.
///
/// The file may be a CSV, an export with renamed keys, or the file of another program. Even a file
/// with a single record is checked.
enum NoUsableRecordGate {
  /// Returns one finding for the files of each entry without a usable record, if the files have
  /// the same first fault.
  static func findings(
    _ files: [StoredFile], entries: EntryGroups = EntryGroups(), rejects: RejectExamples.Source
  ) throws(RunFailure) -> [GateFinding] {
    var found: [(file: StoredFile, entry: String, fault: String)] = []
    for file in files.sorted(by: { $0.name < $1.name }) where file.tally.hasNoUsableRecord {
      let first = try rejects([file]).lines.first
      found.append(
        (file, entries.entry(of: file), first.map { "\($0.reasonCode) \($0.detail)" } ?? ""))
    }
    var findings: [GateFinding] = []
    for group in EntryGroups.grouped(found, by: { "\($0.entry)\n\($0.fault)" }) {
      let (file, entry, fault) = group[0]
      let name = EntryGroups.subject(
        OneLine.text(file.name), count: group.count, entry: entry)
      let advice =
        findings.count < MisplacedInput.shown
        ? MisplacedInput.advice(on: entries.place(of: file), listedAs: file.kind) : nil
      let lines = [try rejects(group.map(\.file)).text, advice.map { "  \($0)" }]
        .compactMap(\.self)
      var finding = GateFinding(
        .noUsableRecord,
        group.map { entry in
          GateFinding.Item(
            subject: entry.file.name,
            found: "0 of \(Count.text(entry.file.tally.records, "record")) usable",
            expected: "at least one")
        }, message: "no record of \(name) can be used:\n\(lines.joined(separator: "\n"))",
        fault: group.count == 1 ? nil : "no_usable_record \(entry) \(fault)")
      finding.remedy = "Replace the file, or remove it from the inputs."
      finding.page = .rejects
      findings.append(finding)
    }
    return findings
  }
}

/// The gate `unnamed_format`: a price file has a format that the pipeline does not state.
///
/// Without the format, the price would be read from the wrong field.
enum UnnamedFormatGate {
  /// Returns one finding for the price files of each entry and format that the pipeline does not
  /// state.
  static func findings(
    _ files: [StoredFile], entries: EntryGroups = EntryGroups(), rejects: RejectExamples.Source
  ) throws(RunFailure) -> [GateFinding] {
    var found: [(file: StoredFile, line: RejectExamples.Line, entry: String, format: String)] = []
    for file in files.sorted(by: { $0.name < $1.name }) where file.tally.rejected > 0 {
      let code = RejectReason.priceUnnamedFormat.rawValue
      guard let line = try rejects([file]).lines.first(where: { $0.reasonCode == code }) else {
        continue
      }
      let format = line.detail.split(separator: " ").last.map(String.init) ?? ""
      found.append((file, line, entries.entry(of: file), format))
    }
    return EntryGroups.grouped(found) { "\($0.entry)\n\($0.format)" }.map { group in
      let (file, line, entry, format) = group[0]
      let subject = EntryGroups.subject(
        OneLine.text(file.name), count: group.count, entry: entry)
      let count = group.reduce(0) { $0 + $1.line.count }
      let verb = group.count == 1 ? "holds" : "hold"
      let files = group.count == 1 ? file.name : entry
      var finding = GateFinding(
        .unnamedFormat,
        group.map {
          GateFinding.Item(
            subject: $0.file.name, found: $0.line.detail,
            expected: "an entry with format: \(format)")
        },
        message: "\(subject) \(verb) \(Count.text(count, "record")) of the format \(format), which "
          + "has the price under another key than \"price\"; first at \(line.place).",
        fault: group.count == 1 ? nil : "unnamed_format \(entry) \(format)")
      finding.remedy =
        "Name the format in its entry of inputs.prices: "
        + "{files: \(RecognizedInput.quoted(OneLine.text(files))), format: \(format)}."
      finding.page = .formats
      finding.duration = .standing
      return finding
    }
  }
}

/// The gate `empty_file`: a new file has no record.
enum EmptyFileGate {
  /// Returns one finding with all empty files; `nil` if there are none.
  static func finding(_ paths: [String]) -> GateFinding? {
    guard !paths.isEmpty else { return nil }
    let names = paths.sorted()
    let lines = names.prefix(10).map { "  \(OneLine.text($0))" }
    let more = names.count > 10 ? ["  and \(names.count - 10) more"] : []
    var finding = GateFinding(
      .emptyFile,
      names.map { GateFinding.Item(subject: $0, found: "0 records", expected: "at least one") },
      message: "\(Count.text(names.count, "new file")) without a record:\n"
        + (lines + more).joined(separator: "\n"))
    finding.remedy = "Replace the files that should hold records."
    finding.page = .gates
    return finding
  }
}

/// Reports files that were read with former settings and are no longer on disk.
///
/// The former settings had other key names or another price unit. The files cannot be read again
/// with the current settings.
enum LostFieldMapping {
  /// Returns a message about the files that cannot be read again.
  ///
  /// - Returns: The message; `nil` if there are no files.
  static func finding(_ files: [StoredFile]) -> String? {
    guard let first = files.map(\.name).min() else { return nil }
    let others = files.count > 1 ? ", \(OneLine.text(first)) the first of them," : ""
    return """
      \(files.count > 1 ? "\(files.count) files" : OneLine.text(first))\(others) were read under \
      other key names or another price_unit and are no longer among the inputs, so they cannot be \
      read again under the new settings. Restore the files for one run, or remove their data with \
      `paidline forget`. \(DocsPage.inputs.reference)
      """
  }
}
