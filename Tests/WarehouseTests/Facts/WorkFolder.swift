import Foundation
import GRDB
import Warehouse

/// A folder of one test, removed with it.
final class WorkFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "warehouse-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var warehouse: WarehouseDatabase { WarehouseDatabase(path: path + "/warehouse.db") }

  /// Opens the warehouse as an analyst does.
  func analyst() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: warehouse.path, configuration: configuration)
  }

  /// Rows of a query, one text each, columns joined by a bar; NULL is a dash.
  func rows(_ sql: String) throws -> [String] {
    try analyst().read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues
          .map { value in String.fromDatabaseValue(value) ?? numberText(value) }
          .joined(separator: "|")
      }
    }
  }
}

private func numberText(_ value: DatabaseValue) -> String {
  Int64.fromDatabaseValue(value).map { String($0) } ?? "-"
}
