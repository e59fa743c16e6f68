public import CivilTime
public import Diagnostics
public import ExportReading

/// The content of a report's file.
public struct AppleReportContent: Sendable {
  /// The kind of report; `nil` for a file without a header.
  public var report: AppleReport?
  /// The lines about in-app purchases.
  public var lines: [AppleReportLine] = []
  /// The account of all lines but the header and the totals; those about apps are used too.
  public var tally = RecordTally()
  /// The lines that could not be understood.
  public var rejects: [Reject] = []
  /// The reason why the whole file is refused; `nil` if it is not.
  public var refusal: String?
  /// Lower-case hex of the SHA-256 of the file's bytes.
  public var sha256 = ""
  /// The size of the file and of its inflated text, in bytes.
  public var size: (bytes: Int64, textBytes: Int64) = (0, 0)

  /// An empty file.
  public init() {}
}

/// Reads a report as App Store Connect delivers it: tab-separated, gzip or plain, a header first.
///
/// The header tells the kind of report, and columns are found by their names.
///
/// - Parameters:
///   - descriptor: The source of the bytes; read to the end and not closed.
///   - name: The file's name; one named `.gz` must be gzip.
///   - exportDay: The day in the file's name, which the Subscription report needs.
///   - isCancelled: Asked before each read.
/// - Returns: Its lines; a file of another kind has a refusal.
/// - Throws: ``ExportError`` when the file cannot be read whole.
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

/// A report while it is read line by line.
struct ReportReading {
  /// The number of rejects kept of a file.
  private static let keptRejects = 10_000
  let exportDay: CivilDay?
  private(set) var lines: ReportLines?
  private var number = 0
  private var rows: Int64 = 0
  private var promisedRows: Int64?
  var content = AppleReportContent()

  init(exportDay: CivilDay?) { self.exportDay = exportDay }

  /// Takes the next line of the file.
  mutating func take(_ line: [UInt8]) {
    number += 1
    guard content.refusal == nil, !ReportRow.isBlank(line) else { return }
    guard let lines else {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      return begin(ReportHeader(line.starts(with: mark) ? Array(line.dropFirst(3)) : line))
    }
    if let total = Self.total(line) {
      if total.name == "total_rows" { promisedRows = total.value }
      return
    }
    rows += 1
    do throws(CellFault) {
      guard let row = ReportRow(line, under: lines.header) else {
        throw CellFault(reason: .reportFieldInvalid, detail: "more cells than columns")
      }
      if let found = try lines.line(row, at: number) { content.lines.append(found) }
      content.tally.used += 1
    } catch {
      content.tally.rejected += 1
      guard content.rejects.count < Self.keptRejects else { return }
      content.rejects.append(Reject(line: number, reason: error.reason, detail: error.detail))
    }
  }

  /// Judges the whole file.
  mutating func finish() {
    guard let promisedRows, promisedRows != rows else { return }
    refuse("its last lines tell of \(promisedRows) rows, and it has \(rows): it is cut or joined")
  }

  private mutating func begin(_ header: ReportHeader) {
    guard let report = AppleReport(header) else {
      return refuse(
        "no report of App Store Connect that is read here: expected the header of Sales, Subscriber, "
          + "Subscription Event, Subscription or Financial, separated by tabs")
    }
    content.report = report
    lines = ReportLines(report: report, header: header, exportDay: exportDay)
  }

  private mutating func refuse(_ refusal: String) {
    content = AppleReportContent()
    content.refusal = refusal
  }

  /// A line of totals, such as `Total_Rows` and 2, at the end of a financial report.
  private static func total(_ line: [UInt8]) -> (name: String, value: Int64?)? {
    guard line.starts(with: "Total_".utf8) else { return nil }
    let cells = ReportRow.cells(line).map { String(decoding: line[$0], as: UTF8.self) }
    return (cells[0].lowercased(), cells.count > 1 ? Int64(cells[1]) : nil)
  }
}
