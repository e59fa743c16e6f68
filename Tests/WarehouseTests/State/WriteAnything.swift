@testable import SQLiteFiles
import Diagnostics
import GRDB

extension DatabaseFile {
  /// Writes whatever a test needs, within a commit boundary.
  func write<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    try write(.settingKept, body)
  }
}
