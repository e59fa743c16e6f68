@testable import SQLiteFiles
import Diagnostics
import GRDB

extension DatabaseFile {
  /// Writes what a test needs, under any boundary.
  func write<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    try write(.settingKept, body)
  }
}
