internal import Warehouse

/// The section about the accuracy of the rules on rows with a signed price.
enum BacktestSection {
  /// Creates the section about the last `paidline backtest`; `nil` if it has no rows.
  static func make(_ figures: PageFigures) -> PageSection? {
    guard !figures.backtest.isEmpty, let asOf = figures.backtestAsOf else { return nil }
    return PageSection(
      id: "backtest", title: "How often the rules are right",
      paragraphs: [
        "Where Apple has signed the price, `paidline backtest` also decides the amount without the "
          + "signed price. The table shows how often each rule gave the amount that Apple signed, "
          + "in the facts as of \(asOf.prefix(10))."
      ],
      panels: [
        PagePanel(tables: [
          PageTable(
            caption: "Rules compared with the prices that Apple signed",
            columns: [
              .text("Rule"), .number("Right"), .number("Wrong"), .number("Share right"),
              .number("Unresolved, bounds right"), .number("Unresolved, bounds wrong"),
            ],
            rows: figures.backtest.map { line in
              [
                .text(FigureText.words(line.rule)), .count(line.right), .count(line.wrong),
                .share(line.right, of: line.right + line.wrong), .count(line.boundsHold),
                .count(line.boundsMiss),
              ]
            })
        ])
      ])
  }
}

/// The section about the gates of the run.
enum GateSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "gates", title: "Gates",
      paragraphs: [
        "The checks of the input before publishing: complete files, usable records, no missing "
          + "days, plausible volumes."
      ],
      panels: [
        PagePanel(tables: [
          PageTable(
            caption: "Gates that found something",
            columns: [
              .text("Gate"), .text("Outcome"), .text("About"), .text("Found"), .text("Expected"),
            ],
            rows: figures.gates.map { line in
              [
                .text(FigureText.words(line.gate)), .text(FigureText.words(line.severity)),
                .foreign(line.subject), .foreign(line.found), .foreign(line.expected),
              ]
            }, whenEmpty: "No gate found anything.")
        ])
      ])
  }
}

/// The section about the data tests of the run.
enum TestSection {
  static func make(_ figures: PageFigures) -> PageSection {
    let failed = figures.tests.filter { $0.failingRows > 0 }
    let passed = figures.tests.filter { $0.failingRows == 0 }
    return PageSection(
      id: "tests", title: "Data tests",
      paragraphs: [
        "Facts are published only if all tests of severity error pass; findings of severity warn "
          + "are published with the facts. The table data_test_result has the query of each test."
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

/// The section about unusable records, and purchases excluded from revenue.
enum RejectSection {
  static func make(_ figures: PageFigures) -> PageSection {
    let run = figures.run
    return PageSection(
      id: "rejects", title: "Rejects and exclusions",
      paragraphs: [
        "\(FigureText.count(run.rejected)) of "
          + "\(FigureText.count(run.records, "record", "records")) in "
          + "\(FigureText.count(run.files, "file", "files")) could not be used. The table "
          + "rejected_record has the file and line of each."
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
            caption: "Input files that are not used",
            columns: [.text("File"), .text("Status"), .number("Records")],
            rows: figures.unusedFiles.map {
              [.foreign($0.name), .text($0.status), .count($0.records)]
            }, whenEmpty: "Every file is used.")
        ]),
        PagePanel(tables: [
          PageTable(
            caption: "Purchases that are not revenue",
            columns: [.text("Reason"), .number("Purchases")],
            rows: figures.excluded.map { [.code($0.name), .count($0.count)] },
            whenEmpty: "No purchase is excluded from revenue.")
        ]),
      ])
  }
}
