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

  /// Reads the file as raw receipts, one per line.
  ///
  /// - Parameter body: Receives each line; returns whether to continue.
  /// - Returns: The reason why the file is refused; else `nil`. Also `nil` if `body` ended the
  ///   reading.
  package func readRawReceipts(
    _ body: (Result<RawReceipt, RawReceiptFault>) async throws(RunFailure) -> Bool
  ) async throws(RunFailure) -> ExportRefusal? {
    try rewind()
    do {
      var reader = try RawReceiptReader(descriptor: descriptor.rawValue, name: input.path) {
        StopSignal.received != nil
      }
      while let line = try reader.next() {
        guard try await body(line) else { return nil }
      }
      return nil
    } catch let error as RunFailure {
      throw error
    } catch ExportError.refused(let refusal, _, _) {
      return refusal
    } catch {
      throw failure(error as? ExportError ?? .cancelled)
    }
  }
}
