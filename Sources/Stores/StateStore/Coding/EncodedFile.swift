internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The content of one file, encoded as the blobs (bodies) that state.db stores.
struct EncodedFile: Sendable {
  /// The offset and the length of a body, with its key in state.db.
  struct Part: Sendable {
    /// The chain's key, or the report's evidence id.
    var key: Int64
    /// The part of the file from which the body was encoded, from 0; most files have one part.
    var piece: Int32 = 0
    /// The offset of the body in ``EncodedFile/bodies``.
    var start: Int
    /// The length of the body, in bytes.
    var count: Int
  }

  /// All bodies, one after another.
  var bodies: StoredBodies
  /// The bodies of chains, sorted by chain key, then by the part of the file that contains them.
  var chains: [Part]
  /// The bodies of price reports, sorted by evidence id, without duplicates.
  var reports: [Part]
  var receiptRecords: Int
  /// The number of rows in the receipt records.
  var receiptRows: Int
  /// The time of the newest snapshot in the receipt records; `nil` without a snapshot.
  var newestSnapshotAt: Instant?
  /// The customers in the file with their first days, encoded by ``FileArrivals``.
  var customers: [UInt8] = []
  /// The `symbol_id` of each text in this file's content; an id may occur several times.
  var numbers: [UInt32] = []
}

extension EncodedFile {
  /// Joins the parts of one file; the bodies are not copied.
  init(batches: [EncodedFile]) throws(RunFailure) {
    self.init(
      bodies: StoredBodies(), chains: [], reports: [],
      receiptRecords: batches.reduce(0) { $0 + $1.receiptRecords },
      receiptRows: batches.reduce(0) { $0 + $1.receiptRows },
      newestSnapshotAt: batches.compactMap(\.newestSnapshotAt).max(),
      customers: batches.flatMap(\.customers),
      numbers: batches.flatMap(\.numbers))
    for (number, batch) in batches.enumerated() {
      let start = bodies.count
      func moved(_ part: Part) -> Part {
        Part(key: part.key, piece: Int32(number), start: start + part.start, count: part.count)
      }
      chains += batch.chains.map(moved)
      reports += batch.reports.map(moved)
      bodies.append(batch.bodies)
    }
    chains.sort { ($0.key, $0.piece) < ($1.key, $1.piece) }
    reports.sort { $0.key < $1.key }
    for (report, next) in zip(reports, reports.dropFirst()) where report.key == next.key {
      throw .twoReports(under: report.key)
    }
  }
}
