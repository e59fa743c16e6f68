internal import Crypto
internal import Diagnostics

/// One raw receipt, as an app's server stored it: `{"customer_id":…,"receipt":"base64…"}`.
public struct RawReceipt: Hashable, Sendable {
  /// The line of the decompressed file; 1-based.
  public let line: Int
  /// The receipt in base64, without escapes and blanks.
  public let base64: [UInt8]
  /// The known members of the record except the receipt, as JSON.
  ///
  /// Example: `"customer_id":"c-1","price_report":{…}`. Their order is fixed. Empty if there are
  /// none.
  public let context: [UInt8]
  /// Whether the context contains `received_at` or `received_at_ms`.
  public let hasReceivedAt: Bool
  /// The SHA-256 of the receipt and its context.
  ///
  /// Records with equal keys need only one request to Apple.
  public let key: [UInt8]
}

/// The reason why a line has no usable raw receipt.
public struct RawReceiptFault: Error, Hashable, Sendable {
  /// A stable code: one of ``RejectReason``, `receipt_missing` or `receipt_not_base64`.
  public let code: String
  /// The line of the decompressed file; 1-based.
  public let line: Int
  /// The SHA-256 of the line, or of its beginning if the line is longer than the largest record.
  public let key: [UInt8]
}

/// Reads a file of raw receipts, gzip or plain, one JSON object per line.
public struct RawReceiptReader: ~Copyable {
  private var buffer: TextBuffer
  private let limits: ExportLimits
  private let table = KeyTable(rawNames)
  private var line = 0
  private var scanned: Int
  private var isAtEnd = false

  /// Starts reading from an open descriptor, which is not closed.
  ///
  /// - Parameters:
  ///   - descriptor: The source of the bytes; blocking.
  ///   - name: The input's name; an input named `.gz` must be gzip.
  public init(
    descriptor: Int32, name: String, limits: ExportLimits = ExportLimits(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ExportError) {
    let bytes = ByteSource(descriptor: descriptor, progress: { _ in }, isCancelled: isCancelled)
    var window = TextBuffer(
      try TextSource(bytes, name: name, limits: limits), capacity: limits.buffer)
    try window.fill()
    if window.end >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF {
      window.use(upTo: 3)  // A byte order mark is no content.
    }
    scanned = window.start
    self.limits = limits
    buffer = window
  }

  /// Reads the next line that is not blank; `nil` at the end of the file.
  public mutating func next() throws(ExportError) -> Result<RawReceipt, RawReceiptFault>? {
    while !isAtEnd {
      if let newline = buffer.newline(from: scanned) {
        let found = read(buffer.start..<newline)
        buffer.use(upTo: newline + 1)
        scanned = newline + 1
        if let found { return found }
      } else if buffer.isComplete {
        isAtEnd = true
        return read(buffer.start..<buffer.end)
      } else if buffer.end - buffer.start > limits.record {
        return .failure(try skipLongLine())
      } else {
        let known = buffer.end - buffer.start
        try buffer.fill()
        scanned = buffer.start + known
      }
    }
    return nil
  }

  private mutating func read(_ range: Range<Int>) -> Result<RawReceipt, RawReceiptFault>? {
    line += 1
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, Byte.isBlank(buffer[low]) { low += 1 }
    while high > low, Byte.isBlank(buffer[high - 1]) { high -= 1 }
    guard low < high else { return nil }
    let (line, table) = (line, table)
    guard high - low <= limits.record else { return .failure(tooLong(low..<high)) }
    return buffer.withText(low..<high) { cursor in
      var record = RawRecord(cursor: cursor, table: table)
      do throws(RawFault) {
        return .success(try record.read(line: line))
      } catch {
        return .failure(
          RawReceiptFault(code: error.code, line: line, key: digest(of: record.text)))
      }
    }
  }

  /// Skips a line that is too long, without holding the whole line in memory.
  private mutating func skipLongLine() throws(ExportError) -> RawReceiptFault {
    line += 1
    let fault = tooLong(buffer.start..<buffer.start + limits.record)
    while true {
      if let newline = buffer.newline(from: buffer.start) {
        buffer.use(upTo: newline + 1)
        scanned = newline + 1
        return fault
      }
      buffer.use(upTo: buffer.end)
      guard !buffer.isComplete else {
        isAtEnd = true
        return fault
      }
      try buffer.fill()
    }
  }

  private func tooLong(_ range: Range<Int>) -> RawReceiptFault {
    RawReceiptFault(
      code: RejectReason.recordTooLarge.rawValue, line: line,
      key: digest(of: range.prefix(1 << 16).map { buffer[$0] }))
  }
}

private enum RawKey: UInt8, Sendable {
  case receivedAt, receivedMilliseconds, customerID, appUserID, storefront, storeCountry
  case priceReport, receipt
}

/// The names of the known keys, in the order in which the context lists them.
private let rawNames: [(name: StaticString, key: RawKey)] = [
  ("received_at", .receivedAt), ("received_at_ms", .receivedMilliseconds),
  ("customer_id", .customerID), ("app_user_id", .appUserID), ("storefront", .storefront),
  ("store_country", .storeCountry), ("price_report", .priceReport), ("receipt", .receipt),
]

/// The reason why a line is unusable.
private struct RawFault: Error {
  let code: String
  init(_ code: String) { self.code = code }
  init(_ fault: JSONFault) { code = fault.reason.rawValue }
}

private struct RawRecord {
  var cursor: JSONCursor
  let table: KeyTable<RawKey>
  private var values = [Range<Int>?](repeating: nil, count: rawNames.count)
  private var receipt: Scalar?

  init(cursor: JSONCursor, table: KeyTable<RawKey>) {
    self.cursor = cursor
    self.table = table
  }

  var text: [UInt8] { bytes(0..<cursor.end) }

  mutating func read(line: Int) throws(RawFault) -> RawReceipt {
    do throws(JSONFault) {
      try readMembers()
    } catch {
      throw RawFault(error)
    }
    guard let receipt else { throw RawFault("receipt_missing") }
    let base64 = try self.base64(receipt)
    var context: [UInt8] = []
    for (name, key) in rawNames where key != .receipt {
      guard let value = values[Int(key.rawValue)] else { continue }
      if !context.isEmpty { context.append(Byte.comma) }
      context += [Byte.quote] + Array(name.description.utf8) + [Byte.quote, Byte.colon]
      context += bytes(value)
    }
    let hasReceivedAt =
      values[Int(RawKey.receivedAt.rawValue)] != nil
      || values[Int(RawKey.receivedMilliseconds.rawValue)] != nil
    return RawReceipt(
      line: line, base64: base64, context: context, hasReceivedAt: hasReceivedAt,
      key: digest(of: base64 + [0] + context))
  }

  private mutating func readMembers() throws(JSONFault) {
    guard cursor.byte(at: 0) == Byte.openBrace else {
      try cursor.skipValue(level: 0)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      throw JSONFault(reason: .notAnObject, offset: 0)
    }
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = table.key(name, in: cursor) else {
        try cursor.skipValue(level: 1)
        continue
      }
      guard values[Int(key.rawValue)] == nil else {
        throw JSONFault(reason: .duplicateKey, offset: cursor.position)
      }
      let start = cursor.position
      if key == .receipt {
        let scalar = try cursor.readScalar()
        guard scalar.kind == .text || scalar.kind == .escapedText else {
          throw JSONFault(reason: .wrongType, offset: start)
        }
        receipt = scalar
      } else {
        try cursor.skipValue(level: 1)
      }
      values[Int(key.rawValue)] = start..<cursor.position
    }
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
  }

  /// Returns the text of a receipt without blanks; throws if it is empty or not base64.
  private func base64(_ scalar: Scalar) throws(RawFault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(Int(scalar.length))
    cursor.unescape(scalar, into: &text)
    text.removeAll(where: Byte.isBlank)
    let isFine = text.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
      default: false
      }
    }
    guard !text.isEmpty, isFine else { throw RawFault("receipt_not_base64") }
    return text
  }

  private func bytes(_ range: Range<Int>) -> [UInt8] { range.map(cursor.byte) }
}

private func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
