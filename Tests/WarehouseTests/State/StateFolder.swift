import SharedTables
@testable import StateStore
import CivilTime
import Diagnostics
import TestSupport

/// A directory for one test, removed after the test.
final class StateFolder {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }
  var statePath: String { path + "/state.db" }

  func open() throws -> StateDatabase {
    try StateDatabase.open(path: statePath, create: true)
  }

  /// Stores files within one run.
  @discardableResult
  func store(_ files: [IncomingFile], admitting status: FileStatus = .used) throws -> Int {
    let state = try open()
    defer { try? state.close() }
    return try state.store(files, admitting: status)
  }
}

extension StateDatabase {
  /// Stores files in a run of their own.
  @discardableResult
  func store(_ files: [IncomingFile], admitting status: FileStatus = .used) throws -> Int {
    let run = try beginRun(.sample)
    let batch = try beginIngest()
    for file in files { _ = try batch.add(file) }
    let summary = try commit(batch, run: run, admitting: status)
    try finishRun(run, at: .epoch, exitStatus: 0)
    return summary
  }
}

extension RunRecord {
  static let sample = RunRecord(
    kind: "run", startedAt: .epoch, programVersion: "0.1.0", rulesVersion: "1")
}

/// The failure that the work throws; `nil` if it succeeds.
func failure(_ work: () throws -> Void) -> RunFailure? {
  do {
    try work()
    return nil
  } catch {
    return error as? RunFailure ?? RunFailure(.success, "another error: \(error)")
  }
}
