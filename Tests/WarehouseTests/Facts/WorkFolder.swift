import Foundation
import GRDB
import TestSupport
import Warehouse

/// A folder for one test; it is removed after the test.
final class WorkFolder: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  var warehouse: WarehouseDatabase { WarehouseDatabase(path: path + "/warehouse.db") }

  /// Opens the warehouse as an analyst does.
  func analyst() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: warehouse.path, configuration: configuration)
  }

  /// The rows of a query, one text each, with columns joined by a bar; NULL is a dash.
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
  if case .double(let number) = value.storage { return "\(number)" }
  return Int64.fromDatabaseValue(value).map { String($0) } ?? "-"
}
