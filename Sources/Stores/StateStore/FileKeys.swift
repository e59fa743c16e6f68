internal import SQLiteFiles
public import Diagnostics
internal import GRDB
public import PurchaseModel

/// The keys of the chains and price reports in files.
///
/// A run uses them to find the chains and reports that new files change.
public struct FileKeys: Hashable, Sendable {
  /// One reading of an input file, identified by a random number.
  public struct Reading: Hashable, BitwiseCopyable, Sendable {
    /// The number of the file.
    public var file: Int64
    /// A random number that identifies the reading.
    ///
    /// If a file is read again, the number is different, even after state.db was lost or restored.
    public var number: Int64

    /// Creates a reading from its fields.
    public init(file: Int64, number: Int64) {
      self.file = file
      self.number = number
    }
  }

  /// The keys of the chains that have content in the files.
  public var chains: Set<ChainKey> = []
  /// The evidence ids of the price reports in the files.
  public var reports: Set<Int64> = []

  /// Encodes numbers as eight bytes each.
  static func bytes(_ numbers: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * numbers.count)
    for number in numbers {
      unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Decodes numbers of eight bytes each.
  static func numbers(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
    (0..<bytes.count / 8).map {
      Int64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
    }
  }
}

extension StateDatabase {
  /// The current reading of each file in use, sorted by file number.
  public func usedReadings() throws(RunFailure) -> [FileKeys.Reading] {
    try file.read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT file_id, reading FROM input_file JOIN file_keys USING (file_id)
          WHERE status = 'used' ORDER BY file_id
          """
      ).map { FileKeys.Reading(file: $0[0], number: $0[1]) }
    }
  }

  /// Reads the keys of the chains and price reports in some files.
  public func keys(ofFiles ids: [Int64]) throws(RunFailure) -> FileKeys {
    try file.read { db in
      var keys = FileKeys()
      let statement = try RawStatement(
        "keys of files", "SELECT chain_keys, evidence_ids FROM file_keys WHERE file_id = ?1", on: db
      )
      for id in ids {
        statement.bind(id, at: 1)
        guard try statement.next() else {
          throw RunFailure(
            .inputOutput,
            "state.db is damaged: file \(id) has no row in file_keys. Restore state.db from a "
              + "copy, or remove it and run the pipeline with all exports.")
        }
        unsafe statement.withBytes(0) { bytes in
          unsafe keys.chains.formUnion(FileKeys.numbers(bytes).map(ChainKey.init(rawValue:)))
        }
        unsafe statement.withBytes(1) { unsafe keys.reports.formUnion(FileKeys.numbers($0)) }
        statement.reset()
      }
      return keys
    }
  }
}
