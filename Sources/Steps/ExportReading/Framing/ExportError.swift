/// The reason why a file is not used at all.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's content is damaged; none of its rows may be stored.
  case refused(ExportRefusal, sha256: String, bytes: Int64)
  /// The operating system could not open or read the file.
  case unreadable(errno: Int32)
  /// The caller stopped the reading.
  case cancelled

  /// The fault as a sentence, without the file's name.
  public var description: String {
    switch self {
    case .refused(let refusal, _, _): refusal.description
    case .unreadable(let errno): "reading failed: the operating system's error number is \(errno)"
    case .cancelled: "reading was stopped"
    }
  }
}

/// The fault of a file that cannot be read completely; offsets are bytes of the file, from 0.
public enum ExportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is named `.gz` and has 0 bytes.
  case empty
  /// The file is named `.gz` and does not begin with the gzip magic number.
  case notGzip
  /// The file ends inside a gzip member.
  case truncated(offset: Int64)
  /// The compressed data are not a deflate stream, or a member's header is wrong.
  case damaged(offset: Int64)
  /// The inflated text of a gzip member does not match the CRC-32 in the member's trailer.
  case badChecksum(offset: Int64)
  /// The text of a member does not have the length in the member's trailer.
  case badLength(offset: Int64)
  /// After a member, the file continues with neither a gzip member nor zeros.
  case trailingGarbage(offset: Int64)
  /// The file inflates to more than any real export: a decompression bomb.
  case inflatesTooFar(offset: Int64)
  /// A JSON array does not continue or end correctly; the offset is in bytes of decompressed text.
  case brokenArray(textOffset: Int64)

  /// The fault as a sentence, without the file's name.
  public var description: String {
    switch self {
    case .empty: "the file is empty, so it is not gzip"
    case .notGzip: "the file is named .gz but is not gzip"
    case .truncated(let offset): "the gzip data end too early, at byte \(offset)"
    case .damaged(let offset): "the gzip data are damaged near byte \(offset)"
    case .badChecksum(let offset): "the gzip checksum is wrong at byte \(offset)"
    case .badLength(let offset): "the gzip length is wrong at byte \(offset)"
    case .trailingGarbage(let offset): "after the gzip data, other data begin at byte \(offset)"
    case .inflatesTooFar(let offset):
      "the first \(offset) bytes decompress to far more text than a real export has"
    case .brokenArray(let offset):
      "the JSON array is broken at byte \(offset) of its text"
    }
  }
}
