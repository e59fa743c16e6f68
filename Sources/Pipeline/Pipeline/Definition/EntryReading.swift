internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Reads the entries of a list in the section `inputs`, such as `prices`.
///
/// An entry is a path pattern, or a mapping with path patterns and the settings for reading the
/// matching files.
///
/// Example: `{files: "exports/revenuecat/*.gz", format: revenuecat_webhook}`.
struct EntryReading {
  let inputs: SettingsMapping
  let folder: String

  private static let priceKeys = [
    "files", "format", "keys", "values", "events", "price_unit", "price_is", "trusted",
    "amounts", "replaces", "decimal", "time_zone",
  ]
  private static let recordKeys = ["files", "keys", "replaces", "complete_through", "time_zone"]
  private static let signedKeys = ["files", "keys", "trusted", "replaces", "complete_through"]
  private static let exportKeys = [
    "files", "format", "trusted", "replaces", "decimal", "complete_through", "time_zone",
  ]

  /// Reads the patterns of a list such as `prices`, each with the field mapping of its entry.
  ///
  /// - Throws: ``RunFailure`` with status 78, file and line for a wrong entry.
  func read(_ list: String, kind: InputFile.Kind) throws(RunFailure) -> [InputPattern] {
    let known =
      switch kind {
      case .prices: Self.priceKeys
      case .signed: Self.signedKeys
      case .exports: Self.exportKeys
      default: Self.recordKeys
      }
    var patterns: [InputPattern] = []
    for entry in try inputs.entries(
      list,
      expected: "a list of patterns, or of mappings such as {files: ../in/*.gz, format: adapty}",
      known: known)
    {
      switch entry {
      case .text(let text) where kind == .exports:
        throw inputs.failure(
          list,
          expected: "mappings such as {files: ../rc/*.csv.gz, format: revenuecat_export}",
          found: text)
      case .text(let text):
        patterns.append(try pattern(text, in: inputs, at: list))
      case .mapping(let mapping):
        var fieldMapping =
          switch kind {
          case .prices: try prices(mapping)
          case .exports: try export(mapping)
          default: try records(mapping, kind)
          }
        let files = try mapping.texts("files", expected: "a list of patterns")
        guard !files.isEmpty else {
          throw mapping.failure("files", expected: "the pattern of the entry's files")
        }
        let replaces = try isTrue("replaces", in: mapping)
        let isComplete = try mapping.value(
          "complete_through", expected: "received_at", read: { $0 == "received_at" ? true : nil })
        fieldMapping.isCompleteThroughNewest = isComplete ?? false
        for text in files {
          var pattern = try pattern(text, in: mapping, at: "files")
          pattern.fieldMapping = fieldMapping
          pattern.replaces = replaces
          guard !fieldMapping.isCompleteThroughNewest || !pattern.hasDate else {
            throw mapping.failure(
              "complete_through", expected: "a pattern without a day", found: text)
          }
          patterns.append(pattern)
        }
      }
    }
    return patterns
  }

  private func pattern(_ text: String, in mapping: SettingsMapping, at key: String)
    throws(RunFailure) -> InputPattern
  {
    guard let pattern = InputPattern(text, folder: folder) else {
      throw mapping.failure(
        key, expected: InputPattern.expected, found: text)
    }
    return pattern
  }

  private func prices(_ entry: SettingsMapping) throws(RunFailure) -> FieldMapping {
    let format = try entry.value("format", expected: Self.formats, read: PriceFormat.named)
    let unit = try entry.value(
      "price_unit", expected: PipelineDefinition.choices(PriceUnit.self), read: PriceUnit.init)
    let meaning = try entry.value(
      "price_is", expected: PipelineDefinition.choices(PriceMeaning.self), read: PriceMeaning.init)
    let isTrusted = try isTrue("trusted", in: entry)
    let keys = try keys(of: entry, known: PriceLayout.keys)
    let hasDecimalComma = try hasDecimalComma(entry)
    var constants: [(key: String, value: String)] = []
    if let values = try entry.mapping("values", known: PriceLayout.constants) {
      for key in PriceLayout.constants where values.has(key) {
        constants.append(
          (
            key,
            try values.requiredText(
              key, expected: "the value that all reports of these files have")
          ))
      }
    }
    let events = try entry.texts("events", expected: "a list of the names of events with a price")
    if let converted = events.first(where: ConvertedEvents.include) {
      throw entry.failure(
        "events", expected: "events with amounts in their own currency; \(ConvertedEvents.advice)",
        found: converted)
    }
    let zone = try entry.timeZone("time_zone")
    let layout: PriceLayout
    do {
      layout = try PriceLayout(
        format: format, keys: keys, constants: constants, events: events.isEmpty ? nil : events,
        meaning: meaning, unit: unit, isTrusted: isTrusted, hasDecimalComma: hasDecimalComma,
        zone: zone)
    } catch {
      throw failure(error, in: entry, format: format)
    }
    guard !isTrusted || layout.meaning == .charged else {
      throw entry.failure(
        "trusted", expected: "an entry with price_is: charged, because only charges can be trusted",
        found: "true")
    }
    let amounts = try entry.value(
      "amounts", expected: "local", read: { $0 == "local" ? true : nil })
    return FieldMapping(
      layout: layout, namesUnit: unit != nil || format != nil, hasLocalAmounts: amounts ?? false)
  }

  private func export(_ entry: SettingsMapping) throws(RunFailure) -> FieldMapping {
    let export = try entry.requiredValue(
      "format",
      expected: "one of " + ServiceExport.all.map(\.name).joined(separator: ", "),
      read: ServiceExport.named)
    let isTrusted = try isTrue("trusted", in: entry)
    let hasDecimalComma = try hasDecimalComma(entry)
    let zone = try entry.timeZone("time_zone")
    do throws(PriceLayout.Fault) {
      let layout = try RecordLayout(export: export, hasDecimalComma: hasDecimalComma, zone: zone)
      return FieldMapping(records: layout, isTrusted: isTrusted)
    } catch {
      throw failure(error, in: entry, format: nil)
    }
  }

  private func hasDecimalComma(_ entry: SettingsMapping) throws(RunFailure) -> Bool {
    try entry.value(
      "decimal", expected: "\",\" or \".\"", read: { [",": true, ".": false][$0] }) ?? false
  }

  /// Reads a key of an entry whose value is true or false; a missing key is false.
  ///
  /// Example: `trusted`, whether the owner's server verified the charges or payloads of an entry.
  private func isTrue(_ key: String, in entry: SettingsMapping) throws(RunFailure) -> Bool {
    try entry.value(
      key, expected: "true or false", read: { ["true": true, "false": false][$0] }) ?? false
  }

  private func records(_ entry: SettingsMapping, _ kind: InputFile.Kind) throws(RunFailure)
    -> FieldMapping
  {
    let known = kind == .signed ? RecordLayout.signedKeys : FieldMapping.receiptKeys
    let isTrusted = kind == .signed ? try isTrue("trusted", in: entry) : false
    do {
      return FieldMapping(
        records: try RecordLayout(
          kind: kind, keys: try keys(of: entry, known: known),
          zone: kind == .signed ? nil : try entry.timeZone("time_zone")),
        isTrusted: isTrusted)
    } catch let fault as PriceLayout.Fault {
      throw failure(fault, in: entry, format: nil)
    } catch {
      throw error as? RunFailure ?? entry.failure("keys", expected: "paths")
    }
  }

  /// Reads the mapping `keys` of an entry: the name of each value, and the paths at which the
  /// value may be.
  private func keys(of entry: SettingsMapping, known: [String]) throws(RunFailure)
    -> [(key: String, paths: [String])]
  {
    guard let mapping = try entry.mapping("keys", known: known) else { return [] }
    var keys: [(key: String, paths: [String])] = []
    for key in known where mapping.has(key) {
      let paths = try mapping.texts(key, expected: "a path, such as event.product_id")
      guard !paths.isEmpty else {
        throw mapping.failure(key, expected: "a path, such as event.product_id")
      }
      keys.append((key, paths))
    }
    return keys
  }

  private func failure(
    _ fault: PriceLayout.Fault, in entry: SettingsMapping, format: PriceFormat?
  ) -> RunFailure {
    switch fault {
    case .noPath(let key, let text):
      return entry.failure(
        "keys",
        expected: "a mapping whose \(key) is a path: names joined by dots, with [] for each "
          + "element of a list, or [key=name] for the element whose key has the value name",
        found: text)
    case .ambiguous(let path):
      return entry.failure(
        "keys",
        expected:
          "paths that each end at one value of their own, and pass through at most one list",
        found: path)
    case .lacks(let keys, let remark):
      let names = keys.joined(separator: ", ")
      let name = format.map { "the format \($0.name)" } ?? "the entry"
      return RunFailure(
        .badConfiguration,
        "\(entry.file):\(entry.line): \(name) has no \(names), and every report needs one"
          + (remark.isEmpty ? "" : ". \(remark)")
          + ". Name its path under `keys`, or under `values` a value that all reports have. "
          + DocsPage.formats.reference)
    }
  }

  private static let formats =
    "one of " + PriceFormat.all.map(\.name).joined(separator: ", ")
}
