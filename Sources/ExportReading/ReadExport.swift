internal import Crypto
public import PurchaseModel

/// Reads an export from an open descriptor, such as a file's or standard input's.
///
/// The descriptor is read to its end and not closed. The name decides one thing only: an input
/// named `.gz` must be gzip. Either the whole file counts or, with ``ExportError/refused``,
/// nothing of it.
///
/// - Parameters:
///   - descriptor: Where the bytes come from; blocking.
///   - name: The input's name, `-` for standard input.
///   - kind: What the records are.
///   - limits: How large what is read may be.
///   - progress: Called with the number of raw bytes read since the last call.
///   - isCancelled: Asked before each read.
/// - Returns: What the file says, how many records it has and which of them are unusable.
/// - Throws: ``ExportError`` when the file cannot be read whole.
public func readExport(
  descriptor: Int32, name: String, kind: InputFile.Kind, limits: ExportLimits = ExportLimits(),
  progress: @escaping @Sendable (Int) -> Void = { _ in },
  isCancelled: @escaping @Sendable () -> Bool = { false }
) throws(ExportError) -> ExportContent {
  try readExport(
    ByteSource(descriptor: descriptor, progress: progress, isCancelled: isCancelled), name: name,
    kind: kind, limits: limits)
}

/// Reads an export from bytes in memory; see ``readExport(descriptor:name:kind:limits:progress:isCancelled:)``.
///
/// - Parameters:
///   - bytes: The bytes of a file, compressed or not.
///   - name: The file's name.
///   - kind: What the records are.
///   - limits: How large what is read may be.
/// - Returns: What the file says, how many records it has and which of them are unusable.
/// - Throws: ``ExportError`` when the bytes cannot be read whole.
public func readExport(
  bytes: [UInt8], name: String, kind: InputFile.Kind, limits: ExportLimits = ExportLimits()
) throws(ExportError) -> ExportContent {
  try readExport(ByteSource(bytes: bytes), name: name, kind: kind, limits: limits)
}

/// The SHA-256 of what a descriptor still has to give, to tell whether a file is known already.
///
/// - Parameters:
///   - descriptor: Where the bytes come from; read to its end and not closed.
///   - isCancelled: Asked before each read.
/// - Returns: The hash in lower-case hex, and how many bytes there were.
/// - Throws: ``ExportError/unreadable(errno:)`` or ``ExportError/cancelled``.
public func sha256(
  ofDescriptor descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool = { false }
) throws(ExportError) -> (sha256: String, bytes: Int64) {
  var source = ByteSource(descriptor: descriptor, progress: { _ in }, isCancelled: isCancelled)
  try source.drain()
  return (source.sha256, source.count)
}

private func readExport(
  _ bytes: ByteSource, name: String, kind: InputFile.Kind, limits: ExportLimits
) throws(ExportError) -> ExportContent {
  let source = try TextSource(bytes, name: name, limits: limits)
  var framer = ExportFramer(source, kind: kind, limits: limits)
  return try framer.readAll()
}
