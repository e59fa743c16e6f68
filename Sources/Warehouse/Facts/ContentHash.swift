internal import Crypto
internal import PurchaseModel

/// The running `content_sha256` of the facts (SCHEMA, "Keys and hash").
///
/// Tables and rows must come in SCHEMA's order; a table without rows still counts by its name.
final class ContentHash {
  private var hash = SHA256()
  private var pending: [UInt8] = []

  /// An empty hash.
  init() {
    pending.reserveCapacity(2 * Self.blockSize)
  }

  private static let blockSize = 65_536

  /// Begins a table.
  func begin(table: String) {
    pending.append(contentsOf: table.utf8)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds rows in their canonical form, the line feeds included.
  func add(_ rows: UnsafeRawBufferPointer) {
    if rows.count >= Self.blockSize {
      flush()
      return unsafe hash.update(bufferPointer: rows)
    }
    unsafe pending.append(contentsOf: rows)
    if pending.count >= Self.blockSize { flush() }
  }

  /// The lower-case hex digits of everything added.
  func finish() -> String {
    flush()
    return Hexadecimal.text(hash.finalize())
  }

  private func flush() {
    unsafe pending.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    pending.removeAll(keepingCapacity: true)
  }
}
