/// The data tests of the run.
enum TestSection {
  static func make(_ figures: ReportFigures) -> PageSection {
    let failed = figures.tests.filter { $0.failingRows > 0 }
    let passed = figures.tests.filter { $0.failingRows == 0 }
    return PageSection(
      id: "tests", title: "Data tests", short: "Data tests",
      paragraphs: [
        "Every publication passes all tests of severity error; a warning is published with the "
          + "facts. data_test_result keeps the query behind each test."
      ],
      panels: [
        PagePanel(tables: [
          table(failed, caption: "Tests that found rows", whenEmpty: "All data tests passed.")
        ]),
        PagePanel(tables: [
          table(passed, caption: "Tests without a finding", isFolded: true)
        ]),
      ])
  }

  private static func table(
    _ tests: [TestFigures], caption: String, isFolded: Bool = false, whenEmpty: String = "None."
  ) -> PageTable {
    PageTable(
      caption: caption, isFolded: isFolded,
      columns: [.text("Test"), .text("Severity"), .number("Rows found")],
      rows: tests.map { [.code($0.name), .text($0.severity), .count($0.failingRows)] },
      whenEmpty: whenEmpty)
  }
}

/// What could not be read, and what was left out.
enum RejectSection {
  static func make(_ figures: ReportFigures) -> PageSection {
    let run = figures.run
    return PageSection(
      id: "rejects", title: "Rejects and exclusions", short: "Rejects",
      paragraphs: [
        "\(FigureText.count(run.rejected)) of "
          + "\(FigureText.count(run.records, "record", "records")) in "
          + "\(FigureText.count(run.files, "file", "files")) could not be used. rejected_record "
          + "names the file and line of each."
      ],
      panels: [
        PagePanel(tables: [
          PageTable(
            caption: "Unusable records and rows by reason",
            columns: [.text("Reason"), .number("Count")],
            rows: figures.rejects.map { [.code($0.name), .count($0.count)] },
            whenEmpty: "Every record could be used.")
        ]),
        PagePanel(tables: [
          PageTable(
            caption: "Input files that do not count",
            columns: [.text("File"), .text("Status"), .number("Records")],
            rows: figures.unusedFiles.map {
              [.foreign($0.name), .text($0.status), .count($0.records)]
            }, whenEmpty: "Every file counts.")
        ]),
        PagePanel(tables: [
          PageTable(
            caption: "Purchases left out of revenue",
            columns: [.text("Reason"), .number("Purchases")],
            rows: figures.excluded.map { [.code($0.name), .count($0.count)] },
            whenEmpty: "No purchase was left out.")
        ]),
      ])
  }
}
