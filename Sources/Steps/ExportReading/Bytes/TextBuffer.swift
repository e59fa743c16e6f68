internal import Glibc

/// The part of the text that the parser has in memory.
///
/// The part advances through the text, and the buffer grows for a large record.
/// ``JSONCursor/padding`` zero bytes follow the text in the buffer.
@safe struct TextBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The position in the buffer of the first byte that is not parsed yet.
  private(set) var start = 0
  /// The position after the last byte of the text in the buffer.
  private(set) var end = 0
  /// Whether the source has been read to its end.
  private(set) var isComplete = false
  /// The number of parsed bytes that were removed from the buffer.
  private var discarded: Int64 = 0
  private var source: TextSupply

  init(_ source: TextSource, capacity: Int, spare: SpareCores? = nil) {
    self.capacity = max(capacity, 1)
    self.source = TextSupply(source, blockSize: self.capacity, spare: spare)
    // Only the needed memory is touched, so a short input needs few pages.
    unsafe base = .allocate(capacity: self.capacity + JSONCursor.padding)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The SHA-256 and the size of the input read so far, and the size of the text.
  ///
  /// The SHA-256 and `bytes` are those of the input as stored. `textBytes` is the size after
  /// decompression.
  var account: (sha256: String, bytes: Int64, textBytes: Int64) {
    source.account
  }

  /// Converts a position in the buffer to an offset in the whole text.
  func textOffset(_ position: Int) -> Int64 { discarded + Int64(position) }

  subscript(position: Int) -> UInt8 { unsafe base[position] }

  /// Copies a range of the text.
  func bytes(in range: Range<Int>) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  /// Creates the error for a file that is refused because of its text.
  ///
  /// First reads the file to its end, to complete the file's hash.
  mutating func refused(_ refusal: ExportRefusal) throws(ExportError) -> ExportError {
    try source.refused(refusal)
  }

  /// Marks the text before a position as parsed, so that its memory can be reused.
  mutating func use(upTo position: Int) { start = position }

  /// Moves the unparsed text to the front and reads until the buffer is full or the text ends.
  ///
  /// If the unparsed text fills the whole buffer, first doubles the buffer's size. All positions in
  /// the buffer decrease by the previous ``start``.
  mutating func fill() throws(ExportError) {
    let kept = end - start
    if kept == capacity { grow() }
    if start > 0 {
      unsafe base.update(from: base + start, count: kept)
      discarded += Int64(start)
      start = 0
      end = kept
    }
    while end < capacity, !isComplete {
      let room = unsafe UnsafeMutableBufferPointer(start: base + end, count: capacity - end)
      let received = unsafe try source.read(into: room)
      if received == 0 { isComplete = true }
      end += received
    }
    unsafe (base + end).update(repeating: 0, count: JSONCursor.padding)
  }

  /// The position of the next newline at or after a position; `nil` if there is none.
  func newline(from position: Int) -> Int? {
    guard position < end else { return nil }
    guard let found = unsafe memchr(base + position, Int32(Byte.newline), end - position) else {
      return nil
    }
    return unsafe UnsafeMutableRawPointer(base).distance(to: found)
  }

  func newlines(in range: Range<Int>) -> Int {
    var count = 0
    for position in range where unsafe base[position] == Byte.newline { count += 1 }
    return count
  }

  /// Calls `body` with a cursor on a range of the text, such as one record.
  ///
  /// During the call, a zero byte replaces the byte after the range.
  func withText<Value>(_ range: Range<Int>, _ body: (JSONCursor) -> Value) -> Value {
    let saved = unsafe base[range.upperBound]
    unsafe base[range.upperBound] = 0
    defer { unsafe base[range.upperBound] = saved }
    return unsafe body(JSONCursor(base + range.lowerBound, count: range.count))
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + JSONCursor.padding)
    unsafe larger.update(from: base + start, count: end - start)
    unsafe base.deallocate()
    unsafe base = larger
    discarded += Int64(start)
    end -= start
    start = 0
    capacity *= 2
  }
}
