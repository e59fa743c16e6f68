/// The text of an input for its parser, directly or from a thread that decompresses ahead.
///
/// An input that fits into one block needs no thread. For a larger input, the thread starts as soon
/// as a core is idle. The parser receives equal bytes and errors with and without the thread.
struct TextSupply: ~Copyable {
  private var source: TextSource
  private var ahead: TextReadAhead?
  private let spare: SpareCores?
  private let blockSize: Int
  private var isFirst = true

  init(_ source: TextSource, blockSize: Int, spare: SpareCores?) {
    self.source = source
    self.spare = spare
    self.blockSize = blockSize
  }

  deinit {
    _ = ahead?.stop()
  }

  /// Writes the next text into the buffer; returns the number of bytes, 0 at the end of the text.
  ///
  /// - Precondition: The buffer is not empty.
  mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ExportError) -> Int {
    if let ahead { return unsafe try ahead.read(into: buffer) }
    // An input that fits into one block needs no second thread.
    if !isFirst, let spare, spare.take() {
      let ahead = TextReadAhead(source, blockSize: blockSize, spare: spare)
      self.ahead = ahead
      return unsafe try ahead.read(into: buffer)
    }
    isFirst = false
    return unsafe try source.read(into: buffer)
  }

  /// The SHA-256 and the size of the input read so far, and the size of its text.
  ///
  /// Ends the thread that reads ahead, if there is one running.
  var account: (sha256: String, bytes: Int64, textBytes: Int64) {
    let source = ahead?.stop() ?? source
    return (source.sha256, source.byteCount, source.textBytes)
  }

  /// Creates the error for a damaged file.
  ///
  /// First reads the file to its end, to complete the file's hash.
  mutating func refused(_ refusal: ExportRefusal) throws(ExportError) -> ExportError {
    if let ahead { source = ahead.stop() }
    ahead = nil
    return try source.refused(refusal)
  }
}
