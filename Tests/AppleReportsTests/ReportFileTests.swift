import AppleReports
import CivilTime
import Testing

/// The selection of files with the same report and day.
struct ReportFileTests {
  private typealias Case = (apps: [Set<String>], used: [Int64])

  /// The report of a day issued again, the files of two vendors, and a vendor without sales.
  private static let cases: [Case] = [
    ([["a", "b"], ["a"]], [1]), ([["a"], ["b"]], [1, 2]), ([["a"], []], [1, 2]),
    ([[], ["a"]], [1, 2]), ([[], []], [1]), ([["a"], ["b"], ["b", "c"]], [1, 2]),
  ]

  @Test(arguments: cases.indices)
  func `a file is used unless an earlier one has its apps`(_ number: Int) throws {
    let (apps, used) = Self.cases[number]
    let day = try #require(CivilDay(text: "2024-05-12"))
    let files = apps.enumerated().map { number, apps in
      var file = AppleReportFile(fileID: Int64(number + 1), report: .sales, day: day)
      file.apps = apps
      return file
    }
    #expect(AppleReportFile.counting(files).map(\.fileID) == used)
  }
}
