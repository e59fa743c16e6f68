internal import Crypto

/// The sum of the SHA-256 hashes of all rows, modulo 2^256: `content_digest`.
///
/// The order of rows does not matter: the digest of two rows is the sum of their digests. An
/// incremental run subtracts the digests of changed rows in their old state, and adds their digests
/// in the new state.
struct ContentDigest: Hashable, Sendable {
  /// The number in 64-bit words, the least significant first.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Creates the digest of no rows: 0.
  init() {}

  init(row: SHA256.Digest) {
    words = unsafe row.withUnsafeBytes { bytes in
      func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      }
      return (word(3), word(2), word(1), word(0))
    }
  }

  /// Reads a digest of 64 hexadecimal digits; `nil` for a text of another form.
  init?(hexadecimal: String) {
    guard hexadecimal.utf8.count == 64 else { return nil }
    var parsed: [UInt64] = []
    for index in 0..<4 {
      let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: 16 * index)
      let end = hexadecimal.index(start, offsetBy: 16)
      guard let word = UInt64(hexadecimal[start..<end], radix: 16) else { return nil }
      parsed.append(word)
    }
    words = (parsed[3], parsed[2], parsed[1], parsed[0])
  }

  /// The digest as 64 lower-case hexadecimal digits.
  var hexadecimal: String {
    [words.3, words.2, words.1, words.0].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  /// Adds the digest of other rows, modulo 2^256.
  mutating func add(_ other: ContentDigest) {
    var carry = false
    func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let (partial, first) = left.addingReportingOverflow(right)
      let (total, second) = partial.addingReportingOverflow(carry ? 1 : 0)
      carry = first || second
      return total
    }
    words.0 = sum(words.0, other.words.0)
    words.1 = sum(words.1, other.words.1)
    words.2 = sum(words.2, other.words.2)
    words.3 = sum(words.3, other.words.3)
  }

  /// Subtracts the digest of rows that are no longer included.
  mutating func remove(_ other: ContentDigest) {
    // The complement plus 1 is the negative of a number modulo 2^256.
    var negative = other
    negative.words = (
      ~other.words.0, ~other.words.1, ~other.words.2, ~other.words.3
    )
    var one = ContentDigest()
    one.words.0 = 1
    negative.add(one)
    add(negative)
  }

  static func == (left: ContentDigest, right: ContentDigest) -> Bool {
    left.words == right.words
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.3)
  }
}
