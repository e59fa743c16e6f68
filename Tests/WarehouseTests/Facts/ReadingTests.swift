import SharedTables
import CivilTime
import Testing

@testable import Warehouse

@Suite struct `Reading what is published` {
  private func published() throws -> WorkFolder {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    return folder
  }

  @Test func `the run remembers its figures`() throws {
    let folder = try published()
    let run = try #require(try folder.warehouse.lastRun())
    #expect(run.files == 2 && run.records == 8 && run.rejected == 1)
    #expect(run.coverage == 10_000 && run.exact == 2000)  // 5 of 5, and 1 of 5
    #expect(run.completeThrough == CivilDay(text: "2021-06-20"))
  }

  @Test(arguments: [
    (["2021-05-01", "2021-05-02", "2021-05-03"], "2021-05-02"),
    (["2021-05-03", "2021-05-01"], "2021-04-30"),
    (["2021-05-01", "2021-05-01", "2021-05-02"], "2021-05-01"), ([], nil),
    // The 3rd is missing. With an export six days later, its export may still arrive; with an
    // export seven days later, it is ignored.
    (["2021-05-01", "2021-05-02", "2021-05-04", "2021-05-09"], "2021-05-01"),
    (["2021-05-02", "2021-05-04", "2021-05-05", "2021-05-10"], "2021-05-04"),
    // Weekly exports: each week is complete as soon as the next export exists.
    (["2021-05-03", "2021-05-10"], "2021-05-02"),
    (["2021-05-03", "2021-05-10", "2021-05-17"], "2021-05-09"),
  ])
  func `complete through the day before the newest export day without an earlier gap`(
    days: [String], through: String?
  ) {
    let files = days.enumerated().map { index, day in
      var file = SampleFacts.auditFiles[0]
      file.id = Int64(index)
      file.exportDate = CivilDay(text: day)
      return file
    }
    #expect(CoveringDays.completeThrough(files, after: 7, asOf: nil)?.text == through)
  }
}
