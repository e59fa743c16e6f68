internal import ExportReading
internal import Foundation
internal import TestSupport
internal import Testing

/// Reads a text as a file of raw receipts.
func rawReceipts(
  _ text: String, name: String = "raw.ndjson", limits: ExportLimits = ExportLimits()
) throws -> [Result<RawReceipt, RawReceiptFault>] {
  try rawReceipts(bytes: Array(text.utf8), name: name, limits: limits)
}

/// Reads bytes as a file of raw receipts.
func rawReceipts(bytes: [UInt8], name: String, limits: ExportLimits = ExportLimits()) throws
  -> [Result<RawReceipt, RawReceiptFault>]
{
  let folder = try TemporaryFolder()
  try folder.write("raw", bytes: bytes)
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("raw")))
  var reader = try RawReceiptReader(
    descriptor: file.fileDescriptor, name: name, limits: limits)
  var lines: [Result<RawReceipt, RawReceiptFault>] = []
  while let line = try reader.next() { lines.append(line) }
  return lines
}
