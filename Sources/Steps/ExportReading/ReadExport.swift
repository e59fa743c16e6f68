internal import Crypto
public import PurchaseModel

/// Reads an export from an open descriptor, such as a file's or standard input's.
///
/// The descriptor is read to its end and not closed. The name is used only to require gzip for an
/// input named `.gz`. A damaged file is refused completely (``ExportError/refused``).
///
/// - Parameters:
///   - descriptor: The source of the bytes; blocking.
///   - spare: The idle cores for decompressing ahead; `nil` to use only the caller's core.
///   - batches: Receives the rows of a large file in parts; the returned content then has only the
///     rows after the last part. `nil` to return all rows.
///   - progress: Called with the number of raw bytes read since the last call.
public func readExport(
  descriptor: Int32, name: String, kind: InputFile.Kind,
  fieldMapping: FieldMapping = .standard, limits: ExportLimits = ExportLimits(),
  spare: SpareCores? = nil, batches: RowBatches? = nil,
  progress: @escaping @Sendable (Int) -> Void = { _ in },
  isCancelled: @escaping @Sendable () -> Bool = { false }
) throws(ExportError) -> ExportContent {
  try readExport(
    ByteSource(descriptor: descriptor, progress: progress, isCancelled: isCancelled), name: name,
    kind: kind, fieldMapping: fieldMapping, limits: limits, spare: spare, batches: batches)
}

/// Reads an export from bytes in memory; see
/// ``readExport(descriptor:name:kind:fieldMapping:limits:spare:batches:progress:isCancelled:)``.
///
/// - Parameters:
///   - bytes: The bytes of a file, compressed or not.
///   - spare: The idle cores for decompressing ahead; `nil` to use only the caller's core.
///   - batches: Receives the rows of a large file in parts; the returned content then has only the
///     rows after the last part. `nil` to return all rows.
public func readExport(
  bytes: [UInt8], name: String, kind: InputFile.Kind,
  fieldMapping: FieldMapping = .standard, limits: ExportLimits = ExportLimits(),
  spare: SpareCores? = nil, batches: RowBatches? = nil
) throws(ExportError) -> ExportContent {
  try readExport(
    ByteSource(bytes: bytes), name: name, kind: kind, fieldMapping: fieldMapping, limits: limits,
    spare: spare, batches: batches)
}

/// Computes the SHA-256 of a descriptor's remaining bytes, to recognize a known file.
///
/// - Parameters:
///   - descriptor: The source of the bytes; read to its end and not closed.
/// - Returns: The hash in lower-case hex, and the number of bytes.
public func sha256(
  ofDescriptor descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool = { false }
) throws(ExportError) -> (sha256: String, bytes: Int64) {
  var source = ByteSource(descriptor: descriptor, progress: { _ in }, isCancelled: isCancelled)
  try source.drain()
  return (source.sha256, source.count)
}

private func readExport(
  _ bytes: ByteSource, name: String, kind: InputFile.Kind, fieldMapping: FieldMapping,
  limits: ExportLimits, spare: SpareCores?, batches: RowBatches?
) throws(ExportError) -> ExportContent {
  let source = try TextSource(bytes, name: name, limits: limits)
  var framer = ExportFramer(
    source, kind: kind, fieldMapping: fieldMapping, limits: limits, spare: spare, batches: batches)
  return try framer.readAll()
}
