internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The bodies of one file, ready to be stored.
struct EncodedFile: Sendable {
  /// A body and the number it is stored under.
  struct Part: Sendable {
    /// The chain's key, or the report's evidence id.
    var key: Int64
    /// The number of the file's piece, from 0; most files are one piece.
    var piece: Int32 = 0
    /// The offset of the body in ``EncodedFile/bodies``.
    var start: Int
    /// The length of the body, in bytes.
    var count: Int
  }

  /// All bodies, end to end.
  var bodies: StoredBodies
  /// Parts of chains, by key, then piece.
  var chains: [Part]
  /// Price reports, by evidence id, each once.
  var reports: [Part]
  /// The number of receipt records in the file.
  var receiptRecords: Int
  /// The number of rows in these records.
  var receiptRows: Int
  /// The newest snapshot among them.
  var newestSnapshotAt: Instant?
  /// The customers of the file, each with the first day, as ``FileArrivals`` writes them.
  var customers: [UInt8] = []
  /// The numbers of the texts that the bodies name; they may repeat.
  var numbers: [UInt32] = []
}

extension EncodedFile {
  /// One file of its pieces, whose bodies stay as they are.
  ///
  /// - Throws: ``RunFailure`` if two different reports share an evidence id: equal ones occur once
  ///   in a file.
  init(pieces: [EncodedFile]) throws(RunFailure) {
    self.init(
      bodies: StoredBodies(), chains: [], reports: [],
      receiptRecords: pieces.reduce(0) { $0 + $1.receiptRecords },
      receiptRows: pieces.reduce(0) { $0 + $1.receiptRows },
      newestSnapshotAt: pieces.compactMap(\.newestSnapshotAt).max(),
      customers: pieces.flatMap(\.customers),
      numbers: pieces.flatMap(\.numbers))
    for (number, piece) in pieces.enumerated() {
      let start = bodies.count
      func moved(_ part: Part) -> Part {
        Part(key: part.key, piece: Int32(number), start: start + part.start, count: part.count)
      }
      chains += piece.chains.map(moved)
      reports += piece.reports.map(moved)
      bodies.append(piece.bodies)
    }
    chains.sort { ($0.key, $0.piece) < ($1.key, $1.piece) }
    reports.sort { $0.key < $1.key }
    for (report, next) in zip(reports, reports.dropFirst()) where report.key == next.key {
      throw .twoReports(under: report.key)
    }
  }
}
