internal import Foundation
internal import GRDB
internal import TestSupport

/// Rows of the warehouse in memory, for tests that compute with them without SQL.
struct FactRow {
  private let row: Row

  init(_ row: Row) { self.row = row }

  /// The whole number in a column; `nil` for NULL.
  func number(_ column: String) -> Int? { row[column] }
  /// The decimal number in a column; `nil` for NULL.
  func decimal(_ column: String) -> Double? { row[column] }
  /// The text in a column, or its whole number as text; `nil` for NULL.
  func text(_ column: String) -> String? {
    let value: DatabaseValue = row[column]
    if case .int64(let number) = value.storage { return String(number) }
    return String.fromDatabaseValue(value)
  }
}

extension Shop {
  /// All rows of a table.
  func facts(_ table: String) throws -> [FactRow] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(
      path: folder.path("out/warehouse.db"), configuration: configuration)
    return try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM \(table)").map(FactRow.init) }
  }
}

/// A value of a view as text, computed by a test: NULL, a number or a text.
func cell(_ value: Int?) -> String { value.map(String.init) ?? "NULL" }
func cell(_ value: String?) -> String { value ?? "NULL" }
func cell(_ value: Bool) -> String { value ? "1" : "0" }

/// The values of a row, joined as by ``Shop/rows(_:)``.
func line(_ cells: String...) -> String { cells.joined(separator: "|") }

/// Days of the calendar, computed with Foundation, which the program never uses.
enum Days {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
    return calendar
  }()

  /// The moment of `2021-05-08T09:14:03Z` or `2021-05-08`, in seconds since 1970.
  static func seconds(_ text: String) -> Int {
    func part(_ start: Int, _ length: Int) -> Int { Int(text.dropFirst(start).prefix(length)) ?? 0 }
    let components = DateComponents(
      year: part(0, 4), month: part(5, 2), day: part(8, 2), hour: part(11, 2),
      minute: part(14, 2), second: part(17, 2))
    return Int(calendar.date(from: components)?.timeIntervalSince1970 ?? 0)
  }

  /// The day that is a number of days later, as text.
  static func text(_ day: String, adding days: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(seconds(day) + days * 86_400))
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    func padded(_ number: Int?, _ width: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return [padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)]
      .joined(separator: "-")
  }
}
