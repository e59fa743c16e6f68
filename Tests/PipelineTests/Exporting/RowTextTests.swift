internal import Testing
@testable internal import Warehouse

private struct Cell: CustomTestStringConvertible {
  var value: FactSection.Value
  var csv: String
  var safe: String
  var copy: String
  var testDescription: String { csv }
}

private let cells = [
  Cell(value: .null, csv: "", safe: "", copy: "\\N"),
  Cell(value: .text(""), csv: "\"\"", safe: "\"\"", copy: ""),
  Cell(value: .text("pro.monthly"), csv: "pro.monthly", safe: "pro.monthly", copy: "pro.monthly"),
  Cell(value: .number(-9990), csv: "-9990", safe: "-9990", copy: "-9990"),
  Cell(value: .number(Int64.min), csv: "\(Int64.min)", safe: "\(Int64.min)", copy: "\(Int64.min)"),
  Cell(value: .text("a,b"), csv: "\"a,b\"", safe: "\"a,b\"", copy: "a,b"),
  Cell(
    value: .text("say \"x\""), csv: "\"say \"\"x\"\"\"", safe: "\"say \"\"x\"\"\"",
    copy: "say \"x\""),
  Cell(value: .text("\\N"), csv: "\\N", safe: "\\N", copy: "\\\\N"),
  Cell(value: .text("\\."), csv: "\\.", safe: "\\.", copy: "\\\\."),
  Cell(
    value: .text("a\tb\r\nc"), csv: "\"a\tb\r\nc\"", safe: "\"a\tb\r\nc\"", copy: "a\\tb\\r\\nc"),
  Cell(value: .text(" edge "), csv: "\" edge \"", safe: "\" edge \"", copy: " edge "),
  Cell(
    value: .text("=HYPERLINK(\"http://x\")"), csv: "\"=HYPERLINK(\"\"http://x\"\")\"",
    safe: "\"'=HYPERLINK(\"\"http://x\"\")\"", copy: "=HYPERLINK(\"http://x\")"),
  Cell(value: .text("+1"), csv: "+1", safe: "\"'+1\"", copy: "+1"),
  Cell(value: .text("-1+1|cmd"), csv: "-1+1|cmd", safe: "\"'-1+1|cmd\"", copy: "-1+1|cmd"),
  Cell(value: .text("@SUM(1)"), csv: "@SUM(1)", safe: "\"'@SUM(1)\"", copy: "@SUM(1)"),
  Cell(value: .text("\t=1"), csv: "\t=1", safe: "\"'\t=1\"", copy: "\\t=1"),
  Cell(value: .text("\r=1"), csv: "\"\r=1\"", safe: "\"'\r=1\"", copy: "\\r=1"),
  Cell(value: .text("＝1"), csv: "＝1", safe: "\"'＝1\"", copy: "＝1"),
  Cell(value: .text("a=1"), csv: "a=1", safe: "a=1", copy: "a=1"),
]

struct RowTextTests {
  private func text(_ value: FactSection.Value, _ format: ExportFormat, safe: Bool)
    -> String
  {
    var text = RowText(format, isSpreadsheetSafe: safe)
    text.cells([value, .number(7)])
    return String(decoding: text.take(), as: UTF8.self)
  }

  @Test(arguments: cells)
  private func `a cell is written in each format`(_ cell: Cell) {
    #expect(text(cell.value, .csv, safe: false) == cell.csv + ",7\r\n")
    #expect(text(cell.value, .csv, safe: true) == cell.safe + ",7\r\n")
    #expect(text(cell.value, .pgcopy, safe: false) == cell.copy + "\t7\n")
  }

  @Test func `only a CSV has a header`() {
    for (format, header) in [(ExportFormat.csv, "a,\"b,c\"\r\n"), (.pgcopy, "")] {
      var text = RowText(format, isSpreadsheetSafe: false)
      text.header(["a", "b,c"])
      #expect(String(decoding: text.take(), as: UTF8.self) == header)
      #expect(text.take().isEmpty)
    }
  }
}
