internal import CivilTime
internal import PurchaseModel

/// The bodies of one file, ready to be stored.
struct EncodedFile: Sendable {
  /// A body and the number it is stored under.
  struct Part: Sendable {
    /// The chain's key, or the report's evidence id.
    var key: Int64
    /// The offset of the body in ``EncodedFile/bodies``.
    var start: Int
    /// The length of the body, in bytes.
    var count: Int
  }

  /// All bodies, end to end.
  var bodies: StoredBodies
  /// Parts of chains, by key.
  var chains: [Part]
  /// Price reports, by evidence id, each once.
  var reports: [Part]
  /// The number of receipt records in the file.
  var receiptRecords: Int
  /// The number of rows in these records.
  var receiptRows: Int
  /// The newest snapshot among them.
  var newestSnapshotAt: Instant?
}
