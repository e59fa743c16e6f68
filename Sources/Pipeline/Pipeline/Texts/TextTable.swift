internal import Diagnostics

/// Rows of text in aligned columns.
package struct TextTable {
  /// The alignment of a column.
  package enum Alignment: Hashable {
    case left, right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// Creates a table with column titles and without rows.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Adds a row; control characters in its cells are escaped.
  ///
  /// - Precondition: There are as many cells as columns.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == alignments.count, "a row has a cell for each column")
    rows.append(cells.map(OneLine.text))
  }

  /// The table as text, with a line under the titles, two spaces between columns, and no trailing
  /// spaces.
  package var text: String {
    let widths = alignments.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    var lines = rows.map { line($0, widths) }
    lines.insert(line(widths.map { String(repeating: "─", count: $0) }, widths), at: 1)
    return lines.joined(separator: "\n")
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      if column > 0 { line += "  " }
      line += alignments[column] == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
