internal import Diagnostics
internal import GRDB
public import PurchaseModel
internal import SQLiteFiles

/// New content of a path whose content is always the whole table, and the file that it replaces.
///
/// The facts are those of the new content alone. The new content gets the number of the replaced
/// file, and only the parts that differ are written. So state.db does not grow with the number of
/// contents.
public struct ContentReplacement: Hashable, Sendable {
  /// The SHA-256 of the new content; lower-case hex.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The number of the stored file with the earlier content.
  public var file: Int64

  /// Creates a replacement from its fields.
  public init(sha256: String, kind: InputFile.Kind, file: Int64) {
    (self.sha256, self.kind, self.file) = (sha256, kind, file)
  }

  /// Notes the replaced files in the new files of a batch.
  ///
  /// Content without a usable record replaces nothing, because whatever was used stays in use until
  /// readable content takes its place.
  static func note(_ replacements: [ContentReplacement], in entries: inout [IngestBatch.Entry]) {
    for index in entries.indices where entries[index].replaces == nil {
      let file = entries[index].file
      guard file.refusal == nil, file.otherKind == nil, file.tally.used > 0 else { continue }
      entries[index].replaces =
        replacements.first { $0.sha256 == file.sha256 && $0.kind == file.kind }?.file
    }
  }
}

/// The parts of new content that state.db has already, from the content that it replaces.
struct KeptParts {
  /// The positions of equal parts in ``EncodedFile/chains``.
  private(set) var chains: Set<Int> = []
  /// The positions of equal parts in ``EncodedFile/reports``.
  private(set) var reports: Set<Int> = []

  /// Compares the parts of a file with the stored ones, and deletes the stored parts that differ.
  init(of entry: IngestBatch.Entry, on db: Database) throws {
    guard let file = entry.replaces else { return }
    let keys = try RawStatement(
      "read keys", "SELECT chain_keys, evidence_ids FROM file_keys WHERE file_id = ?1", on: db)
    keys.bind(file, at: 1)
    guard try keys.next() else { return }
    let stored = unsafe (keys.withBytes(0, FileKeys.numbers), keys.withBytes(1, FileKeys.numbers))
    keys.reset()
    let bodies = entry.encoded.bodies
    chains = try Self.kept(
      entry.encoded.chains, of: bodies, stored: stored.0, file: file, hasPieces: true,
      rows: "SELECT piece, body FROM chain_part WHERE chain_key = ?1 AND file_id = ?2",
      delete: "DELETE FROM chain_part WHERE chain_key = ?1 AND file_id = ?2 AND piece = ?3", on: db)
    reports = try Self.kept(
      entry.encoded.reports, of: bodies, stored: stored.1, file: file, hasPieces: false,
      rows: "SELECT 0, body FROM price_report WHERE evidence_id = ?1 AND file_id = ?2",
      delete: "DELETE FROM price_report WHERE evidence_id = ?1 AND file_id = ?2 AND ?3 = 0", on: db)
  }

  private static func kept(
    _ parts: [EncodedFile.Part], of bodies: StoredBodies, stored keys: [Int64], file: Int64,
    hasPieces: Bool, rows: String, delete: String, on db: Database
  ) throws -> Set<Int> {
    struct Place: Hashable {
      var key: Int64
      var piece: Int64
    }
    var places: [Place: Int] = [:]
    for (position, part) in parts.enumerated() {
      places[Place(key: part.key, piece: hasPieces ? Int64(part.piece) : 0)] = position
    }
    let read = try RawStatement("read parts", rows, on: db)
    let remove = try RawStatement("delete part", delete, on: db)
    var kept: Set<Int> = []
    for key in Set(keys) {
      var outdated: [Int64] = []
      read.bind(key, at: 1)
      read.bind(file, at: 2)
      while try read.next() {
        let piece = read.int64(0)
        let position = places[Place(key: key, piece: piece)]
        let isEqual = try position.map { position in
          try bodies.withBody(parts[position]) { body in
            unsafe read.withBytes(1) { stored in
              unsafe body.withUnsafeBytes { unsafe stored.elementsEqual($0) }
            }
          }
        }
        if let position, isEqual == true {
          kept.insert(position)
        } else {
          outdated.append(piece)
        }
      }
      for piece in outdated { try remove.run(key, file, piece) }
    }
    return kept
  }
}
