import Diagnostics
import GRDB

@testable import Warehouse

extension DatabaseFile {
  /// Writes what a test needs, under any boundary.
  func write<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    try write(.settingKept, body)
  }
}
