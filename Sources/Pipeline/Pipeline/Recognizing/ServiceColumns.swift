internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Recognizes the exports of hosted services by their columns, and webhooks by their content.
enum ServiceColumns {
  /// Returns the file as a service's export; `nil` if it has the columns of no format.
  static func recognized(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let columns = try KeySearch.columns(path)
    let names = Set(columns.map(ColumnName.folded))
    if let format = ServiceExport.all.first(where: { format in
      format.marks.allSatisfy { names.contains(ColumnName.folded($0)) }
    }) {
      return try input(path, format, try content(path, format))
    }
    // Owners keep webhooks in records of their own, or in a column of a table.
    for format in ServiceExport.all where format.isNested {
      guard let content = try content(path, format),
        content.set.observations.contains(where: { $0.service?.charged != nil })
      else { continue }
      return try input(path, format, content)
    }
    return nil
  }

  /// Names the export of a service whose columns have been renamed; `nil` for any other file.
  static func renamed(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let columns = try KeySearch.columns(path)
    guard let format = ServiceExport.renamed(columns), try otherTable(path) == nil else {
      return nil
    }
    let lacking = format.lackingMarks(columns)
    let renaming = lacking.map { name in
      let own = columns.first { ColumnName.folded($0).hasSuffix(ColumnName.folded(name)) }
      return "\(OneLine.text(own ?? "own_name")) AS \(name)"
    }
    return RecognizedInput(
      path: path, kind: nil, settings: "",
      words: "the columns of \(format.service.title)'s export under other names; format: "
        + "\(format.name) lacks \(lacking.joined(separator: ", ")). Export them with the service's own "
        + "names, or rename all in the query or view: SELECT *, \(renaming.joined(separator: ", ")). "
        + DocsPage.inputs.reference)
  }

  /// Names a table with amounts that a service booked, which are no prices that a phone showed.
  ///
  /// Services have further tables, such as RevenueCat's ledger of in-app currencies, and an owner
  /// may have left out columns of the export. `nil` for any other file.
  static func otherTable(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let columns = try KeySearch.columns(path)
    let names = Set(columns.map(ColumnName.folded))
    guard let booked = columns.first(where: { isBooked(ColumnName.folded($0)) }) else { return nil }
    let service = ServiceExport.all.first { format in
      names.contains { $0.contains(format.service.name) }
        || own[format.service, default: []].contains(where: names.contains)
    }
    guard let service else {
      // Proceeds are what is left of an amount; a table of an owner may have dollars beside prices.
      guard !ColumnName.folded(booked).hasSuffix("usd") else { return nil }
      return RecognizedInput(
        path: path, kind: nil, settings: "", words: words("a table", booked, lacks: ""))
    }
    let lacking = service.marks.filter { !names.contains(ColumnName.folded($0)) }
    return RecognizedInput(
      path: path, kind: nil, settings: "",
      words: words(
        "a table of \(service.service.title)'s", booked,
        lacks: "; for format: \(service.name) it lacks \(lacking.joined(separator: ", "))"))
  }

  /// The columns, beside those with its name, that only a service's tables have.
  private static let own: [SubscriptionService: [String]] = [
    .revenueCat: ["rcoriginalappuserid", "rclastseenappuseridalias"], .adapty: ["profileid"],
    .apphud: ["internaluserid"], .qonversion: ["customuserid"],
  ]

  private static func isBooked(_ name: String) -> Bool {
    name.hasPrefix("proceeds") || name.hasPrefix("netrevenue") || name.hasPrefix("refundamount")
      || name.hasPrefix("takehome") || name.hasSuffix("usd")
  }

  private static func words(_ table: String, _ column: String, lacks: String) -> String {
    "\(table) with amounts as they were booked (\(OneLine.text(column))), which are no prices that a "
      + "phone showed; it is left out\(lacks). \(DocsPage.inputs.reference)"
  }

  private static func input(
    _ path: String, _ format: ServiceExport, _ content: ExportContent?
  ) throws(RunFailure) -> RecognizedInput {
    var settings = "format: \(format.name)"
    var content = content
    if content?.rejects.contains(where: { $0.reason == .priceNotADecimal }) ?? false,
      let read = try self.content(path, format, hasDecimalComma: true),
      read.tally.used > content?.tally.used ?? 0
    {
      settings += ", decimal: \",\""
      content = read
    }
    var words = "\(format.service.title)'s export, \(settings.replacing(":", with: ""))"
    if let content, let reject = content.rejects.first {
      words +=
        "; \(content.tally.rejected) of the first \(content.tally.records) records cannot be read, "
        + "the first at line \(reject.line): \(reject.reason.rawValue), \(reject.detail); "
        + reject.reason.advice
    }
    return RecognizedInput(path: path, kind: .exports, settings: settings, words: words)
  }

  private static func content(
    _ path: String, _ format: ServiceExport, hasDecimalComma: Bool = false
  ) throws(RunFailure) -> ExportContent? {
    guard let layout = try? RecordLayout(export: format, hasDecimalComma: hasDecimalComma) else {
      return nil
    }
    return try RecognizedInput.preview(
      path, .exports, FieldMapping(records: layout))
  }
}
