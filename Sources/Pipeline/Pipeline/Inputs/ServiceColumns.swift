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
