internal import Amounts
@testable internal import Answers
internal import CivilTime
@testable internal import Commands
internal import Diagnostics
@testable internal import Pipeline
internal import Testing
@testable internal import Warehouse

struct TextTests {
  @Test func `a table aligns its columns and has no trailing spaces`() {
    var table = TextTable([("name", .left), ("amount", .right), ("note", .left)])
    table.add(["a", "1.00", ""])
    table.add(["longer", "12345.00", "x\ny"])
    #expect(
      table.text == """
        name      amount  note
        ──────  ────────  ───────
        a           1.00
        longer  12345.00  x\\u{a}y
        """)
  }

  @Test func `the revenue table prints each currency with its own decimals`() {
    let summary = RevenueSummary(
      lines: [
        .init(
          month: "2021-01", productID: "coins", currency: Currency("JPY"),
          gross: Milliunits(240_000), refunds: Milliunits(-120_000), unresolvedRows: 0),
        .init(
          month: "2021-01", productID: "pro", currency: Currency("KWD"), gross: Milliunits(1_250),
          refunds: .zero, unresolvedRows: 2),
        .init(
          month: "2021-02", productID: "pro", currency: nil, gross: nil, refunds: .zero,
          unresolvedRows: 1),
      ],
      coverage: .init(chargeable: 3000, known: 2999, exact: 1500), asOf: "2021-03-01T00:00:00Z")
    #expect(
      summary.text == """
        month    product  currency    gross  refunds      net  unresolved
        ───────  ───────  ────────  ───────  ───────  ───────  ──────────
        2021-01  coins    JPY           240     -120      120           0
        2021-01  pro      KWD         1.250    0.000    1.250           2
        2021-02  pro      unknown   unknown     0.00  unknown           1
        total    all      JPY           240     -120      120           0
        total    all      KWD         1.250    0.000    1.250           2
        total    all      unknown   unknown     0.00  unknown           1

        Coverage: 99.9 % of 3000 chargeable rows have a known amount (50.0 % \
        exact), 1 unresolved; as of 2021-03-01T00:00:00Z.
        """)
  }

  @Test func `JSON keeps the order of keys and escapes what it must`() {
    let value = JSONText.object([
      .init("b", .list([.number(1), .null, .flag(true)])), .init("a", .text("\"\\\n\u{1}é")),
      .init("empty", .list([])),
    ])
    #expect(
      value.line == #"{"b": [1, null, true], "a": "\"\\\n\u0001é", "empty": []}"#)
    #expect(
      value.page == """
        {
          "b": [
            1,
            null,
            true
          ],
          "a": "\\"\\\\\\n\\u0001é",
          "empty": []
        }
        """)
  }

  @Test(arguments: [
    ("plain é", "plain é"), ("a\nb", "a\\u{a}b"), ("\u{1B}[31m", "\\u{1b}[31m"),
    ("a\u{202E}b", "a\\u{202e}b"), ("\u{7F}", "\\u{7f}"),
  ])
  func `text from outside cannot forge a line or colour a terminal`(_ text: String, _ line: String)
  {
    #expect(OneLine.text(text) == line)
  }

  @Test(arguments: [
    ("recipts", "receipts"), ("warehuose", "warehouse"), ("State", "state"), ("zzz", nil),
    ("receipt", "receipts"), ("id", nil),
  ])
  func `the nearest word is suggested, and a far one is not`(_ word: String, _ found: String?) {
    let words = ["state", "warehouse", "receipts", "prices", "kind"]
    #expect(NearestWord.suggestion(for: word, among: words) == found)
  }

  @Test func `the progress bar shows share, rate and time left`() {
    let line = ProgressBar.line(
      "reading", done: 50_000_000, total: 200_000_000, milliseconds: 1000, width: 80)
    #expect(line == "reading ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 25 %  50.0 MB/s  0:03 left")
    let narrow = ProgressBar.line(
      "reading", done: 1, total: 2, milliseconds: 0, width: 20)
    #expect(narrow.count <= 20)
  }

  @Test(arguments: [
    ("36h", 129_600), ("2d", 172_800), ("90m", 5_400), ("5s", 5), ("0h", 0),
  ])
  func `an age has a unit`(_ text: String, _ seconds: Int64) {
    #expect(DurationArgument(argument: text)?.length == .seconds(seconds))
  }

  @Test(arguments: ["36", "h", "-1h", "1.5h", "1w", ""])
  func `an age without a unit is refused`(_ text: String) {
    #expect(DurationArgument(argument: text) == nil)
  }

  @Test(arguments: [
    (0, "at the purchase"), (5_000, "5 s after the purchase"),
    (-90_000, "1 min before the purchase"), (7_200_000, "2 h after the purchase"),
    (-86_400_000, "1 day before the purchase"), (259_200_000, "3 days after the purchase"),
  ])
  func `a distance is told in its largest unit`(_ milliseconds: Int64, _ text: String) {
    #expect(DistanceText.text(Milliseconds(milliseconds)) == text)
  }
}
