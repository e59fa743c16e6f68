/// The number of rows that the tables of a page may have together, so that it stays small.
///
/// Short tables stay complete; the longest ones divide the rest evenly and keep the newest rows: of
/// 10, 100 and 500 rows with room for 310, they keep 10, 100 and 200.
enum RowBudget {
  /// Rows of all tables of a page.
  static let rows = 2000

  /// The sections with their rows limited to the budget; shortened tables are marked.
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

  /// The most rows that each table may have.
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
      ": the \(isByTime ? "newest" : "first") \(limit) of \(rows.count) rows; the warehouse has all"
    rows = Array(isByTime ? rows.suffix(limit) : rows.prefix(limit))
  }
}
