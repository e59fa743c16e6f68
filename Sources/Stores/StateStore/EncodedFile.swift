internal import CivilTime
internal import PurchaseModel

/// The bodies of one file, ready to be stored.
struct EncodedFile: Sendable {
  /// A body and the number it is stored under.
  struct Part: Sendable {
    /// The chain's key, or the report's evidence id.
    var key: Int64
    /// Where the body stands in ``EncodedFile/bodies``.
    var start: Int
    /// How long it is.
    var count: Int
  }

  /// All bodies, end to end.
  var bodies: StoredBodies
  /// Parts of chains, by key.
  var chains: [Part]
  /// Price reports, by evidence id, each once.
  var reports: [Part]
  /// How many receipt records the file has.
  var receiptRecords: Int
  /// How many rows they have.
  var receiptRows: Int
  /// The newest snapshot among them.
  var newestSnapshotAt: Instant?
}
