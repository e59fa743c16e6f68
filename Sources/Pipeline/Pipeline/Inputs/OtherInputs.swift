internal import AppleReports
package import Diagnostics
package import ExportReading
internal import PurchaseModel
internal import StateStore
internal import SystemPackage

/// Reads Apple's reports, and files with raw receipts.
extension OpenInput {
  /// Reads the whole file as one of Apple's reports.
  ///
  /// - Returns: The content; if the file cannot be read whole, it is marked as refused.
  func readReport() throws(RunFailure) -> Reading {
    try rewind()
    do {
      let content = try readAppleReport(
        descriptor: descriptor.rawValue, name: input.path, exportDay: input.exportDay
      ) { StopSignal.received != nil }
      if let refusal = content.refusal {
        return Reading(file: refusedReport(content.sha256, bytes: content.size.bytes, refusal))
      }
      var file = IncomingFile(
        sha256: content.sha256, kind: input.kind, name: input.path, exportDate: input.exportDay,
        bytes: content.size.bytes, tally: content.tally, rejects: content.rejects,
        content: Observations())
      file.otherKind =
        content.otherTable
        ?? (content.tally.hasNoUsableRecord
          ? OtherKind.words(input.path, bytes: content.size.bytes, foreign: nil) : nil)
      if file.otherKind != nil {
        file.tally = RecordTally()
        file.rejects = []
      }
      file.report = content.report
      file.reportLines = content.lines
      var reading = Reading(file: file, textBytes: content.size.textBytes)
      reading.unknownColumns = content.unknownColumns
      if content.isWithoutDay {
        reading.file.sha256 = input.hash(withDay: content.sha256)
        reading.hashWithoutDay = content.sha256
      }
      return reading
    } catch .refused(let refusal, let sha256, let bytes) {
      return Reading(file: refusedReport(sha256, bytes: bytes, refusal.description))
    } catch {
      throw failure(error)
    }
  }

  private func refusedReport(_ sha256: String, bytes: Int64, _ refusal: String) -> IncomingFile {
    IncomingFile(
      refused: sha256, kind: input.kind, name: input.path, exportDate: input.exportDay,
      bytes: bytes, refusal: refusal)
  }

  /// Reads the file as raw receipts, one per line, from its beginning.
  package func rawReceipts() throws(RunFailure) -> RawReceiptLines {
    try rewind()
    return try RawReceiptLines(self)
  }
}

/// The raw receipts of an input file, read one by one.
package final class RawReceiptLines {
  private let input: OpenInput
  private var reader: RawReceiptReader?
  /// The reason why the file is refused; `nil` as long as all its lines were readable.
  package private(set) var refusal: ExportRefusal?

  fileprivate init(_ input: OpenInput) throws(RunFailure) {
    self.input = input
    _ = try reading { () throws(ExportError) in
      reader = try RawReceiptReader(descriptor: input.descriptor.rawValue, name: input.input.path) {
        StopSignal.received != nil
      }
    }
  }

  /// Reads the next line that is not blank; `nil` at the end of the file, or if it is refused.
  package func next() throws(RunFailure) -> Result<RawReceipt, RawReceiptFault>? {
    try reading { () throws(ExportError) in try reader?.next() } ?? nil
  }

  private func reading<Value>(_ body: () throws(ExportError) -> Value) throws(RunFailure) -> Value?
  {
    do {
      return try body()
    } catch .refused(let refusal, _, _) {
      self.refusal = refusal
      return nil
    } catch {
      throw input.failure(error)
    }
  }
}
