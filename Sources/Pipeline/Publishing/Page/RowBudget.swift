/// Limits the number of rows of all tables of a page together, so that the page stays small.
///
/// All tables have the same limit. Shorter tables stay complete, so the limit is higher if there
/// are many short tables. From a longer table that is sorted by time, the newest rows are kept;
/// from any other table, the first rows. Example: with a budget of 310, tables of 10, 100 and 500
/// rows keep 10, 100 and 200.
enum RowBudget {
  /// The largest number of rows in all tables of a page together.
  static let rows = 2000

  /// Returns the sections with their rows limited to the budget; shortened tables are marked.
  static func fitted(_ sections: [PageSection], rows: Int = rows) -> [PageSection] {
    let limit = limit(
      sections.flatMap { $0.panels.flatMap { $0.tables.map(\.rows.count) } }, rows: rows)
    var sections = sections
    for section in sections.indices {
      for panel in sections[section].panels.indices {
        for table in sections[section].panels[panel].tables.indices {
          sections[section].panels[panel].tables[table].keep(limit)
        }
      }
    }
    return sections
  }

  /// Returns the largest number of rows that a single table may keep; `.max` if all rows fit.
  static func limit(_ counts: [Int], rows: Int) -> Int {
    var left = rows
    for (index, count) in counts.sorted().enumerated() {
      let share = left / (counts.count - index)
      guard count <= share else { return share }
      left -= count
    }
    return .max
  }
}

extension PageTable {
  fileprivate mutating func keep(_ limit: Int) {
    guard rows.count > limit else { return }
    caption +=
      ": the \(isByTime ? "newest" : "first") \(limit) of \(rows.count) rows; the warehouse has "
      + "all rows"
    rows = Array(isByTime ? rows.suffix(limit) : rows.prefix(limit))
  }
}
