internal import Amounts
internal import AppleReports
internal import CivilTime
package import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SharedTables
internal import StateStore

/// Shows the values that are read from the first records of each input.
///
/// For price reports, it also shows the key from which each value is read. This is the output of
/// `paidline check --inputs`.
package enum FieldPreview {
  /// The number of records to show for each input.
  private static let shown = 2

  /// Reads the first records of one file for each pattern.
  package static func text(_ definition: PipelineDefinition) throws(RunFailure) -> String {
    var parts: [String] = []
    for kind in [InputFile.Kind.receipts, .prices, .signed, .exports, .appleReports] {
      for pattern in definition.patterns(of: kind) where !pattern.isStandardInput {
        guard let input = try FoundInputs.find([pattern], kind: kind).files.first else { continue }
        parts.append(try paragraph(input, definition))
      }
    }
    return parts.joined(separator: "\n\n")
  }

  private static func paragraph(_ input: FoundInput, _ definition: PipelineDefinition)
    throws(RunFailure) -> String
  {
    var fieldMapping = input.fieldMapping ?? definition.fieldMapping
    if input.kind == .prices, fieldMapping.reading(of: .prices).fieldMapping.isEmpty,
      let own = try? PriceLayout(format: nil)
    {
      fieldMapping = FieldMapping(layout: own, namesUnit: false)
    }
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    if input.kind == .appleReports { return try report(file, at: input.path) }
    var lines = ["\(OneLine.text(input.path)) (\(input.kind.rawValue)):"]
    switch try file.preview(fieldMapping, records: shown) {
    case .failure(let refusal): lines.append("  refused: \(refusal.description)")
    case .success(let content):
      switch input.kind {
      case .prices: lines += prices(content)
      case .signed: lines += signed(content)
      case .exports: lines += exports(content)
      case .receipts, .appleReports: lines += receipts(content)
      }
      lines += content.rejects.prefix(shown).map { reject in
        "  line \(reject.line): \(reject.reason.rawValue), \(OneLine.text(reject.detail))"
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func prices(_ content: ExportContent) -> [String] {
    content.previews.filter { !$0.fields.isEmpty }.flatMap { preview in
      [
        "  line \(preview.line), \(preview.isUsed ? "a price report" : "not used as a price report")"
      ]
        + preview.fields.map { field in
          "    \(padded(field.name)) \(padded(OneLine.text(field.text)))  from \(OneLine.text(field.source))"
        }
    }
  }

  private static func receipts(_ content: ExportContent) -> [String] {
    let set = content.set
    return set.records.enumerated().map { number, record in
      let rows = set.observations.filter { Int($0.record) == number }
      let customer = record.customer.map { OneLine.text(set.symbols.text($0.symbol)) } ?? "none"
      let first = rows.first.map { row in
        ", the first \(row.transactionID.number.text(in: set.symbols)) of "
          + OneLine.text(set.symbols.text(row.productID.symbol))
      }
      let reported = rows.first.flatMap { priceReport(of: $0, in: set) }
      let price = reported.map { ", price \($0.price.text(in: $0.currency))" } ?? ""
      return "  line \(record.source.line), a response of \(record.snapshotAt.text): customer "
        + "\(customer), storefront \(record.storefront?.code ?? "none"), "
        + "\(Count.text(rows.count, "row"))\(first ?? "")" + price
    }
  }

  /// The price report that names a row, such as the price of a decoded transaction.
  private static func priceReport(of row: TransactionObservation, in set: Observations)
    -> PriceReport?
  {
    set.reports.first { $0.transactionID == row.transactionID }
  }

  private static func signed(_ content: ExportContent) -> [String] {
    let set = content.set
    return set.observations.prefix(shown).map { row in
      let record = set.records[Int(row.record)]
      let reported = priceReport(of: row, in: set)
      let price =
        row.signed?.price.map { $0.amount.text(in: $0.currency) }
        ?? reported.map { $0.price.text(in: $0.currency) }
      let storefront = row.signed?.storefront ?? reported?.storefront ?? record.storefront
      return "  line \(record.source.line), a signed transaction of \(record.snapshotAt.text): "
        + "\(row.transactionID.number.text(in: set.symbols)) of "
        + "\(OneLine.text(set.symbols.text(row.productID.symbol))), "
        + "bought \(row.purchasedAt.text), storefront "
        + "\(storefront?.code ?? "none"), price \(price ?? "none")" + testMark(record)
    }
  }

  /// The words for a test purchase, whose storefront and price are not read.
  private static func testMark(_ record: ReceiptRecord) -> String {
    record.isSandbox ? ", a test purchase" : ""
  }

  private static func exports(_ content: ExportContent) -> [String] {
    let set = content.set
    return set.observations.prefix(shown).map { row in
      let record = set.records[Int(row.record)]
      let customer = record.customer.map { OneLine.text(set.symbols.text($0.symbol)) } ?? "none"
      let charged = row.service?.charged.map { $0.amount.text(in: $0.currency) } ?? "none"
      let isCharge = set.reports.contains { $0.transactionID == row.transactionID }
      return "  line \(record.source.line), a transaction in its state of "
        + "\(record.snapshotAt.text): \(row.transactionID.number.text(in: set.symbols)) of "
        + "\(OneLine.text(set.symbols.text(row.productID.symbol))), bought "
        + "\(row.purchasedAt.text), customer \(customer), storefront "
        + "\(record.storefront?.code ?? "none"), \(isCharge ? "charge" : "the service's amount") "
        + charged + testMark(record)
    }
  }

  private static func report(_ file: borrowing OpenInput, at path: String) throws(RunFailure)
    -> String
  {
    let read = try file.readReport().file
    var lines = ["\(OneLine.text(path)) (\(InputFile.Kind.appleReports.rawValue)):"]
    if let refusal = read.refusal { lines.append("  refused: \(refusal)") }
    if let other = read.otherKind { lines.append("  ignored: \(OneLine.text(other))") }
    lines += read.reportLines.prefix(shown).map { line in
      let price = line.unitPrice.flatMap { price in
        line.currency.map { price.text(in: $0) }
      }
      return "  line \(line.line), a line of \(line.report.rawValue): "
        + "\(Count.text(Int(line.units), "unit")) of "
        + "\(OneLine.text(line.productID ?? line.appleID ?? "an unnamed product")) on "
        + "\(line.day.text), storefront \(line.storefront.code), price \(price ?? "none")"
    }
    lines += read.rejects.prefix(shown).map { reject in
      "  line \(reject.line): \(reject.reason.rawValue), \(OneLine.text(reject.detail))"
    }
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 16 - text.count))
  }
}
