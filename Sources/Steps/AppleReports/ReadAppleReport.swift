public import CivilTime
public import Diagnostics
public import ExportReading

/// The content of a file with one of Apple's reports.
public struct AppleReportContent: Sendable {
  /// The kind of report; `nil` for a file without a header.
  public var report: AppleReport?
  /// The lines about in-app purchases.
  public var lines: [AppleReportLine] = []
  /// The numbers of used and rejected lines, without the header and the totals.
  ///
  /// A line about an app, not about an in-app purchase, is included in the used lines.
  public var tally = RecordTally()
  /// The lines that could not be read; for a file with very many, the first 10,000.
  public var rejects: [Reject] = []
  /// The name of a table that is not used, such as `a report of pre-orders`; `nil` for a report.
  public var otherTable: String?
  /// The columns of a report of App Analytics that this program does not know.
  public var unknownColumns: [String] = []
  /// The reason why the whole file is refused; `nil` for a usable file.
  public var refusal: String?
  /// Lower-case hex of the SHA-256 of the file's bytes.
  public var sha256 = ""
  /// The size of the file and of its decompressed text, in bytes.
  public var size: (bytes: Int64, textBytes: Int64) = (0, 0)

  /// Whether the file's content lacks the day of the report.
  ///
  /// This applies to a Subscription report, to a report with only a header, and to the reports of
  /// App Analytics: which of two instances is newer is only in their names.
  public var isWithoutDay: Bool {
    report == .subscription || report?.isOfAnalytics == true || report != nil && tally.records == 0
  }

  /// The value of ``otherTable`` for an error answer of the App Store Connect API.
  public static let errorAnswer =
    "an error answer of App Store Connect; remove it, and fetch the report of that day again"

  /// Creates the content of an empty file.
  public init() {}
}

/// Reads a report as App Store Connect delivers it: a header and tab-separated lines.
///
/// The text may be compressed with gzip. The header determines the kind of report. The order of
/// columns does not matter.
///
/// - Parameters:
///   - descriptor: The source of the bytes; read to the end and not closed.
///   - name: The file's name; a file named `.gz` must be gzip.
///   - exportDay: The day in the file's name; only the Subscription report needs it.
public func readAppleReport(
  descriptor: Int32, name: String, exportDay: CivilDay?,
  isCancelled: @escaping @Sendable () -> Bool = { false }
) throws(ExportError) -> AppleReportContent {
  var lines = try ExportLines(descriptor: descriptor, name: name, isCancelled: isCancelled)
  var reading = ReportReading(exportDay: exportDay)
  while let line = try lines.next() { reading.take(line) }
  reading.finish()
  reading.content.sha256 = lines.sha256
  reading.content.size = lines.size
  return reading.content
}

/// The state of reading a report line by line.
struct ReportReading {
  /// The largest number of stored rejects per file.
  private static let keptRejects = 10_000
  let exportDay: CivilDay?
  private(set) var lines: ReportLines?
  /// The row into which each line is read; `nil` before the header.
  private var row: ReportRow?
  private var number = 0
  private var totals = ReportTotals()
  private var isEnded = false
  private var hasPreamble = false
  /// Whether the first line is not the header of a known table of App Store Connect.
  private var isUnknown = false
  /// The bytes of the header; empty before it.
  private var header: [UInt8] = []
  private var errorAnswer = ErrorAnswer()
  private var firstDay: CivilDay?
  var content = AppleReportContent()

  init(exportDay: CivilDay?) { self.exportDay = exportDay }

  /// Reads the next line of the file.
  mutating func take(_ line: [UInt8]) {
    number += 1
    guard content.otherTable == nil, !isEnded, !ReportRow.isBlank(line) else { return }
    guard !isUnknown else { return takeUnknown(line) }
    guard let lines, var row = self.row.take() else {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      return begin(line.starts(with: mark) ? Array(line.dropFirst(3)) : line)
    }
    defer { self.row = row }
    if totals.take(last: line) { return }
    if report == .financeDetail, OtherTables.isSumsByCountry(line) {
      isEnded = true
      return
    }
    // Joined segments of one instance have the header once each.
    if isOfAnalytics, line == header { return }
    do throws(CellFault) {
      guard row.read(line) else {
        throw CellFault(reason: .reportFieldInvalid, detail: "more cells than column names")
      }
      totals.count(row)
      if let found = try lines.line(row, at: number) { content.lines.append(found) }
      content.tally.used += 1
    } catch {
      content.tally.rejected += 1
      guard content.rejects.count < Self.keptRejects else { return }
      content.rejects.append(Reject(line: number, reason: error.reason, detail: error.detail))
    }
  }

  /// Checks the totals and the completeness of the file after its last line.
  mutating func finish() {
    if lines == nil, hasPreamble, content.otherTable == nil, !isUnknown {
      return refuse("the file ends before the column names: it is cut off")
    }
    if let fault = totals.fault {
      refuse(
        "the totals at the end of the file state \(fault): the file is cut off, or several files "
          + "are joined"
      )
    }
    if coversSeveralDays { noteUnusedTable("a Sales report of several days") }
    if isUnknown, errorAnswer.isFound { noteUnusedTable(AppleReportContent.errorAnswer) }
  }

  /// Reads a line of a file whose first line is not a known header.
  private mutating func takeUnknown(_ line: [UInt8]) {
    if number <= OtherTables.titleLines, OtherTables.isPaymentHeader(line) {
      return noteUnusedTable(OtherTables.payment)
    }
    errorAnswer.read(line)
    content.tally.rejected += 1
  }

  /// Whether this is a weekly, monthly or yearly Sales report.
  ///
  /// In such a report, every line about a purchase covers several days and is rejected.
  private var coversSeveralDays: Bool {
    report == .sales && content.lines.isEmpty && content.tally.rejected > 0
      && content.rejects.count == content.tally.rejected
      && content.rejects.allSatisfy { $0.reason == .reportNotDaily }
  }

  private mutating func refuse(_ refusal: String) {
    content = AppleReportContent()
    content.refusal = refusal
  }

  private var report: AppleReport? { content.report }
  private var isOfAnalytics: Bool { report?.isOfAnalytics == true }

  private mutating func begin(_ line: [UInt8]) {
    if case .document(let name) = ForeignContent(beginning: Array(line.prefix(512))) {
      return noteUnusedTable(name)
    }
    let header = ReportHeader(line)
    // Finance Detail begins with the vendor's name and the first and last day of the fiscal month.
    if header.isPreamble {
      hasPreamble = true
      if header.first == "start date" {
        firstDay = ReportRow.texts(line).last.flatMap { ReportRow.day(Array($0.utf8).span) }
      }
      return
    }
    guard let report = AppleReport(header) else {
      if let name = OtherTables.name(header) { return noteUnusedTable(name) }
      isUnknown = true
      errorAnswer.read(line)
      content.tally.rejected += 1
      content.rejects.append(
        Reject(
          line: number, reason: .reportFieldMissing,
          detail: "this line does not have the column names of a report"))
      return
    }
    content.report = report
    self.header = line
    if isOfAnalytics { content.unknownColumns = AnalyticsColumns.unknown(in: header) }
    row = ReportRow(under: header)
    lines = ReportLines(
      report: report, header: header, exportDay: exportDay, firstDay: firstDay)
  }

  private mutating func noteUnusedTable(_ name: String) {
    content = AppleReportContent()
    content.otherTable = name
  }
}
