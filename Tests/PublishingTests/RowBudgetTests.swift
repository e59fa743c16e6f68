@testable internal import Publishing
internal import Testing

struct RowBudgetTests {
  @Test(arguments: [
    // First 10 and 100 are complete, and 200 of 310 rows are left for the longest table. Then all
    // rows fit. Then there is no table.
    ([500, 10, 100], 310, 200), ([500, 10, 100], 610, Int.max), ([500, 10, 100], 2, 0),
    // 120 rows for three tables: 40 each. The first needs only 10, so that 55 are left for each of
    // the others.
    ([10, 200, 300], 120, 55), ([], 10, Int.max),
  ])
  func `short tables stay whole, and long ones share what is left`(
    _ counts: [Int], _ rows: Int, _ limit: Int
  ) {
    #expect(RowBudget.limit(counts, rows: rows) == limit)
  }

  @Test func `a table by time keeps its newest rows, another its first, and both say so`() {
    let rows = (1...9).map { [PageCell.text("\($0)")] }
    var section = PageSection(id: "a", title: "A")
    section.panels = [
      PagePanel(tables: [
        PageTable(caption: "Days", columns: [.text("Day")], rows: rows, isByTime: true),
        PageTable(caption: "Rules", columns: [.text("Rule")], rows: rows),
      ])
    ]
    let tables = RowBudget.fitted([section], rows: 6)[0].panels[0].tables
    #expect(tables[0].rows.map { $0[0].text } == ["7", "8", "9"])
    #expect(tables[0].caption == "Days: the newest 3 of 9 rows; the warehouse has all rows")
    #expect(tables[1].rows.map { $0[0].text } == ["1", "2", "3"])
    #expect(tables[1].caption == "Rules: the first 3 of 9 rows; the warehouse has all rows")
  }
}
