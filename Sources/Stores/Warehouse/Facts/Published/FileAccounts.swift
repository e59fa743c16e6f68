public import Diagnostics
internal import GRDB
internal import SQLiteFiles

/// The numbers of used, duplicate and rejected records of one input file.
public struct FileAccount: Hashable, Sendable {
  /// The SHA-256 of the file's bytes; lower-case hex.
  public var sha256: String
  /// The kind of file, as in `audit_file`, such as `receipts` or `prices`.
  public var kind: String
  /// The status, as in `audit_file`, such as `used`, `refused` or `held`.
  public var status: String
  /// The number of records in use.
  public var used: Int64
  /// The number of records that repeat an earlier record of the file.
  public var duplicates: Int64
  /// The number of unusable records.
  public var rejected: Int64

  /// Creates an account from its fields.
  public init(
    sha256: String, kind: String, status: String, used: Int64, duplicates: Int64, rejected: Int64
  ) {
    self.sha256 = sha256
    self.kind = kind
    self.status = status
    self.used = used
    self.duplicates = duplicates
    self.rejected = rejected
  }

  /// Returns true if the other account has the same SHA-256 and the same kind of file.
  public func isSameFile(as other: FileAccount) -> Bool {
    sha256 == other.sha256 && kind == other.kind
  }

  /// The status and the three numbers, as a text for messages.
  public var text: String {
    "\(status), \(used) used + \(duplicates) duplicates + \(rejected) rejected"
  }
}

extension WarehouseDatabase {
  /// Reads the numbers of all input files from `audit_file`, sorted by hash, then kind.
  public func fileAccounts() throws(RunFailure) -> [FileAccount] {
    try read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT sha256, kind, status, used, duplicates, rejected FROM audit_file
          ORDER BY sha256, kind
          """
      ).map {
        FileAccount(
          sha256: $0[0], kind: $0[1], status: $0[2], used: $0[3], duplicates: $0[4],
          rejected: $0[5])
      }
    }
  }
}
