/// Reads the lines of a text file, gzip or plain.
///
/// The lines are returned unchanged.
public struct ExportLines: ~Copyable {
  private var buffer: TextBuffer
  private var scanned = 0
  private var isAtEnd = false

  /// Starts reading from an open descriptor, which is not closed.
  ///
  /// - Parameters:
  ///   - descriptor: The source of the bytes; blocking.
  ///   - name: The file's name; a file named `.gz` must be gzip.
  public init(
    descriptor: Int32, name: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ExportError) {
    let limits = ExportLimits()
    let bytes = ByteSource(descriptor: descriptor, progress: { _ in }, isCancelled: isCancelled)
    var window = TextBuffer(
      try TextSource(bytes, name: name, limits: limits), capacity: limits.buffer)
    try window.fill()
    buffer = window
  }

  /// Reads the next line without its newline; `nil` at the end of the file.
  public mutating func next() throws(ExportError) -> [UInt8]? {
    while !isAtEnd {
      if let newline = buffer.newline(from: scanned) {
        let line = buffer.bytes(in: buffer.start..<newline)
        buffer.use(upTo: newline + 1)
        scanned = newline + 1
        return line
      }
      if buffer.isComplete {
        isAtEnd = true
        let rest = buffer.bytes(in: buffer.start..<buffer.end)
        return rest.isEmpty ? nil : rest
      }
      let known = buffer.end - buffer.start
      try buffer.fill()
      scanned = buffer.start + known
    }
    return nil
  }

  /// The SHA-256 of the bytes read so far, in lower-case hex.
  ///
  /// After ``next()`` has returned `nil`, this is the SHA-256 of the file.
  public var sha256: String { buffer.account.sha256 }

  /// The numbers of bytes read so far: `bytes` as stored, and `textBytes` after decompression.
  ///
  /// After ``next()`` has returned `nil`, these are the sizes of the whole file.
  public var size: (bytes: Int64, textBytes: Int64) {
    (buffer.account.bytes, buffer.account.textBytes)
  }
}
