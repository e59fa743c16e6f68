package import Diagnostics
internal import ExportReading
package import PurchaseModel
internal import StateStore

/// The kind and format of an export, recognized from its first records.
///
/// Used by `paidline init --from`. Example: the columns of a table are `received_at` and `body`,
/// and `body` contains RevenueCat's webhooks → prices in the format `revenuecat_webhook`.
package struct RecognizedInput: Hashable {
  /// The path of the examined file.
  package var path: String
  /// The kind of its records; `nil` for a file that cannot be an input.
  package var kind: InputFile.Kind?
  /// The settings for the export's entry in the pipeline; empty if none are needed.
  ///
  /// They are the format of prices, or the keys of records. Example: `format: revenuecat_webhook`.
  package var settings: String
  /// The result in words: `prices, format revenuecat_webhook`.
  package var words: String
  /// The pattern for the file, and for other files of the same kind; the path if there are none.
  package var pattern: String
  /// The number of files that match the pattern.
  package var count = 1

  init(path: String, kind: InputFile.Kind?, settings: String, words: String) {
    (self.path, self.kind, self.settings, self.words) = (path, kind, settings, words)
    pattern = path
  }

  /// The key of the section `inputs` under which the file is listed; `nil` if it is no input.
  package var section: String? { kind?.rawValue }

  /// The result as a line: path, number of further files, kind, and the pattern.
  package var line: String {
    let others = count > 1 ? " and \(count - 1) more" : ""
    let open = section == nil || pattern == path ? "" : ", as \(OneLine.text(pattern))"
    return "\(OneLine.text(path))\(others): \(words)\(open)"
  }

  /// The section and the settings; for a file that is no input, the reason.
  ///
  /// Inputs with an equal likeness can have one entry.
  var likeness: [String] { section.map { [$0, settings] } ?? ["", words] }

  /// Returns true if a file is listed in the same section with the same settings.
  func isLike(_ other: RecognizedInput) -> Bool { likeness == other.likeness }

  /// The number of records to examine in an export.
  private static let records = 20
  /// The numbers of records to examine for prices: 20, and if no price is found, 2,000.
  ///
  /// In an export of all events, the first record with a price may come late.
  private static let priceRecords = [records, manyRecords]
  /// The number of records to examine in an export of all events.
  static let manyRecords = 2000

  /// Recognizes the kind and format of a file.
  package static func of(_ path: String) throws(RunFailure) -> RecognizedInput {
    let report = try readReport(path)
    if report.refusal == nil, report.otherKind == nil, report.tally.used > 0 {
      return RecognizedInput(
        path: path, kind: .appleReports, settings: "", words: "a report of App Store Connect")
    }
    if let found = try ServiceColumns.recognized(path) {
      // One event of a map would be read, and the others would not.
      let map = try KeySearch.recordMap(path)
      return map.map { RecognizedInput(path: path, kind: nil, settings: "", words: $0.words) }
        ?? found
    }
    if let found = try KeySearch.receipts(path) { return found }
    if let found = try KeySearch.signed(path) { return found }
    if let found = UnknownInput.convertedEvents(path) { return found }
    if let map = try KeySearch.recordMap(path) {
      return RecognizedInput(path: path, kind: nil, settings: "", words: map.words)
    }
    if let renamed = try ServiceColumns.renamed(path) { return renamed }
    if let found = try prices(path) {
      guard found.kind == .prices, !found.settings.contains("format: "),
        let table = try ServiceColumns.otherTable(path)
      else { return found }
      return table
    }
    // None of the inputs, such as a report of App Store Connect's Analytics, or a README.
    if let words = report.otherKind {
      return RecognizedInput(
        path: path, kind: nil, settings: "", words: "\(words), which is no input; it is left out")
    }
    return try UnknownInput.described(path)
  }

  static func preview(
    _ path: String, _ kind: InputFile.Kind, _ fieldMapping: FieldMapping, records: Int = records,
    notesShapes: Bool = false
  ) throws(RunFailure) -> ExportContent? {
    guard let resolved = RealPath.of(path) else {
      throw RunFailure(
        .inputMissing, "\(OneLine.text(path)): there is no such file; correct the path")
    }
    let input = FoundInput(path: path, resolvedPath: resolved, kind: kind, exportDay: nil, size: 0)
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    return try? file.preview(fieldMapping, records: records, notesShapes: notesShapes).get()
  }

  /// Whether a file is empty or has no more than a first line, which is no record.
  static func hasNoRecord(_ path: String) throws(RunFailure) -> Bool {
    guard let content = try preview(path, .receipts, .standard) else { return false }
    return content.tally.records <= 1 && content.tally.used == 0
  }

  private static func readReport(_ path: String) throws(RunFailure) -> IncomingFile {
    guard let resolved = RealPath.of(path) else {
      throw RunFailure(
        .inputMissing, "\(OneLine.text(path)): there is no such file; correct the path")
    }
    let input = FoundInput(
      path: path, resolvedPath: resolved, kind: .appleReports, exportDay: nil, size: 0)
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    return try file.readReport().file
  }

  /// Recognizes an export of prices, and finds its format or its keys.
  private static func prices(_ path: String) throws(RunFailure) -> RecognizedInput? {
    var timeless: PriceFormat??
    for records in priceRecords {
      let found = try bestFormat(of: path, records: records)
      if let format = found.usable {
        if format == nil {
          if let own = try KeySearch.ownPrices(path) { return own }
          let layout = try? PriceLayout(format: nil)
          if let layout, let events = try KeySearch.laterEvents(path, layout, nil) { return events }
        }
        return RecognizedInput(
          path: path, kind: .prices, settings: format.map { "format: \($0.name)" } ?? "",
          words: words(format))
      }
      timeless = timeless ?? found.timeless
    }
    if let found = try KeySearch.payload(path) { return found }
    if let found = try KeySearch.prices(path) { return found }
    return timeless.map { format in
      RecognizedInput(
        path: path, kind: nil, settings: "",
        words: "\(words(format)), but without a time: add reported_at to each record "
          + "(Docs/formats.md)")
    }
  }

  private static func words(_ format: PriceFormat?) -> String {
    format.map { "prices, format \($0.name)" } ?? "price reports"
  }

  /// Finds the format with which most records can be read.
  ///
  /// The number of rejected records is subtracted from the number of used records. If two formats
  /// have an equal result, the format that finds more values is used. Paidline's own format, which
  /// is `nil`, is used if no other format has a better result.
  ///
  /// Sandbox purchases and renewals help to recognize a format, although their prices are not used.
  ///
  /// - Returns: The format that can be used (`usable`). If no format can be used, `timeless` is the
  ///   format whose records lack only a time.
  private static func bestFormat(
    of path: String, records: Int
  ) throws(RunFailure) -> (usable: PriceFormat??, timeless: PriceFormat??) {
    var usable: (score: (Int, Int), format: PriceFormat?)?
    var timeless: (values: Int, format: PriceFormat?)?
    for format in [nil] + PriceFormat.all.map(Optional.some) {
      guard let layout = try? PriceLayout(format: format),
        let content = try preview(
          path, .prices, FieldMapping(layout: layout, namesUnit: format != nil), records: records)
      else { continue }
      let values = content.previews.reduce(0) { $0 + $1.fields.count }
      if content.previews.contains(where: hasPrice), format != nil || content.tally.rejected == 0 {
        let score = (
          content.tally.used - content.tally.rejected, values + content.set.offers.count
        )
        if score > usable?.score ?? (0, 0) { usable = (score, format) }
      } else if !content.rejects.isEmpty,
        content.rejects.allSatisfy({ $0.reason == .priceWithoutTime }),
        values > timeless?.values ?? 0
      {
        timeless = (values, format)
      }
    }
    return (usable.map(\.format), timeless.map(\.format))
  }

  /// Whether a record has a product, a price, its currency, and a time.
  static func hasPrice(_ record: PreviewedRecord) -> Bool {
    let names = record.fields.map(\.name)
    return names.contains { $0 == "price" || $0 == "total" }
      && ["product_id", "currency", "reported_at"].allSatisfy(names.contains)
  }

  // MARK: Pipeline

  /// Writes the section `inputs` of a pipeline that reads some files.
  package static func inputLines(_ found: [RecognizedInput], folder: String) -> [String] {
    let names = FilePaths.normalized(folder).split(separator: "/").filter { $0 != "." }
    let isBelow = !folder.hasPrefix("/") && !names.contains("..")
    var lines: [String] = []
    for section in InputFile.Kind.allCases.map(\.rawValue) {
      var entries: [String] = []
      for input in found where input.section == section {
        let pattern =
          input.pattern.hasPrefix("/")
          ? input.pattern : isBelow ? relative(input.pattern, to: names) : absolute(input.pattern)
        let quoted = quoted(pattern)
        let entry =
          input.settings.isEmpty ? quoted : "{files: \(quoted), \(input.settings)}"
        if !entries.contains(entry) { entries.append(entry) }
      }
      guard !entries.isEmpty else { continue }
      lines.append("  \(section):")
      lines += entries.map { "    - \($0)" }
    }
    return lines
  }

  /// The pattern from a folder below the working directory, with the names of its path.
  private static func relative(_ pattern: String, to folder: [Substring]) -> String {
    let names = pattern.split(separator: "/").filter { $0 != "." }
    let common = zip(names.dropLast(), folder).prefix { $0 == $1 }.count
    return (folder.dropFirst(common).map { _ in ".." } + names.dropFirst(common))
      .joined(separator: "/")
  }

  /// The pattern as an absolute path; the names before the first wildcard are resolved.
  private static func absolute(_ pattern: String) -> String {
    guard let found = InputPattern(pattern, folder: "."), let folder = RealPath.of(found.folder)
    else { return pattern }
    return FilePaths.join(folder, found.components.map(\.text).joined(separator: "/"))
  }

  /// A text in double quotes, as YAML reads it without change.
  static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
