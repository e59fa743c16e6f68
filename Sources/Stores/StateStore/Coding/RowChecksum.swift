internal import CZlib

/// The checksum of a row in state.db: the CRC-32 of its keys, then of its blobs.
///
/// A disk that changes a byte of a body may leave a body that can be decoded, to another amount.
/// Readers of bodies check it, so that no fact depends on such a row; `verify` checks all rows.
struct RowChecksum {
  private var checksum: UInt32 = 0

  /// Starts with the keys of the row.
  init(_ first: Int64, _ second: Int64 = 0, _ third: Int64 = 0) {
    let keys = (first.littleEndian, second.littleEndian, third.littleEndian)
    unsafe withUnsafeBytes(of: keys) { unsafe add($0) }
  }

  /// Continues with a blob of the row.
  mutating func add(_ blob: UnsafeRawBufferPointer) {
    // zlib begins anew where it is given no address.
    guard let start = blob.baseAddress, unsafe !blob.isEmpty else { return }
    unsafe checksum = paidline_crc32(
      checksum, start.assumingMemoryBound(to: UInt8.self), blob.count)
  }

  /// Returns the checksum of the keys and one more blob, as the column `checksum` holds it.
  func with(_ blob: UnsafeRawBufferPointer) -> Int64 {
    var longer = self
    unsafe longer.add(blob)
    return longer.value
  }

  /// Returns the checksum of the keys and one more blob, as the column `checksum` holds it.
  func with(_ blob: Span<UInt8>) -> Int64 {
    unsafe blob.withUnsafeBytes { unsafe with($0) }
  }

  /// The checksum as the column `checksum` holds it.
  var value: Int64 { Int64(checksum) }
}
