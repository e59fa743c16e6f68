internal import Diagnostics
internal import GRDB
internal import Warehouse

/// A warehouse opened to read, as analysts do.
struct WarehouseReader {
  /// How much of the file is read in place, rather than copied page by page.
  private static let mappedBytes = 1 << 30
  private let queue: DatabaseQueue
  private let path: String

  /// Opens the warehouse of a pipeline.
  ///
  /// - Throws: ``RunFailure`` with status 66 where none has been published yet, and 78 for a file
  ///   of another program or schema version.
  init(_ definition: PipelineDefinition) throws(RunFailure) {
    path = definition.warehousePath
    guard PathStatus.exists(path) else {
      throw RunFailure(
        .inputMissing,
        "\(OneLine.text(path)): nothing is published yet; run `paidline run "
          + "\(OneLine.text(definition.path))` first")
    }
    try WarehouseDatabase(path: path).requireReadable()
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    // The views jump about in a file that is mostly in memory anyway.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA mmap_size = \(Self.mappedBytes)") }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw Self.failure(error, path: path)
    }
  }

  /// Reads in one transaction.
  func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Self.failure(error, path: path)
    }
  }

  private static func failure(_ error: any Error, path: String) -> RunFailure {
    if let failure = error as? RunFailure { return failure }
    guard let error = error as? DatabaseError else {
      return RunFailure(.inputOutput, "reading \(OneLine.text(path)): \(error)")
    }
    let (status, remedy): (ExitStatus, String) =
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_ERROR:
        (.badConfiguration, "name the warehouse of a pipeline that has run")
      case .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY:
        (.noPermission, "check the permissions of the file and of the -wal and -shm beside it")
      case .SQLITE_BUSY, .SQLITE_LOCKED: (.tryAgain, "try again later")
      case .SQLITE_CORRUPT:
        (.inputOutput, "the file is damaged; remove it, and the next run builds it anew")
      default: (.inputOutput, "check the disk, then try again")
      }
    return RunFailure(
      status, "reading \(OneLine.text(path)): \(error.message ?? "SQLite failed"): \(remedy)")
  }
}
