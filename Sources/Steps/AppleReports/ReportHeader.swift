/// The header of a report: the position of each column name, in lower case.
struct ReportHeader {
  /// The number of columns in the header.
  let count: Int
  private var columns: [String: Int] = [:]
  /// The name of the first column, in lower case.
  let first: String?

  /// Current names of columns, keyed by their former names.
  private static let former = [
    "promotional offer name": "subscription offer name", "sale or return": "sales or return",
    "sales/returns": "sales or return", "country code": "country", "country of sale": "country",
    "subscriber id reset": "subscriber reset",
  ]

  /// Reads a header; if a name occurs twice, the first column is used.
  init(_ line: [UInt8]) {
    let names = ReportRow.cells(line).map {
      String(decoding: line[$0], as: UTF8.self).lowercased()
    }
    count = names.count
    first = names.first
    for (index, name) in names.enumerated() {
      let known = Self.former[name] ?? name
      columns[known] = columns[known] ?? index
    }
  }

  /// The names of all columns, in lower case.
  var names: [String] { columns.keys.sorted() }

  /// Whether there is a column of this name, given in lower case.
  func has(_ name: String) -> Bool { columns[name] != nil }

  /// The position of a column, from 0; `nil` if there is none.
  func column(_ name: String) -> Int? { columns[name] }
}

/// One line of a report with its header.
struct ReportRow {
  private let header: ReportHeader
  private let line: [UInt8]
  private let cells: [Range<Int>]

  /// Reads a line; `nil` if it has more cells than the header, so that they may be shifted.
  init?(_ line: [UInt8], under header: ReportHeader) {
    cells = Self.cells(line)
    guard cells.count <= header.count else { return nil }
    self.line = line
    self.header = header
  }

  /// The text of a cell; `nil` if the column is absent or the cell is blank.
  func text(_ name: String) -> String? {
    guard let bytes = bytes(name) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of a cell; `nil` if the cell is empty.
  func bytes(_ name: String) -> ArraySlice<UInt8>? {
    guard let column = header.column(name), column < cells.count, !cells[column].isEmpty else {
      return nil
    }
    return line[cells[column]]
  }

  /// The ranges of the cells of a line, without surrounding blanks.
  static func cells(_ line: [UInt8]) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    cells.reserveCapacity(32)
    var start = 0
    for position in 0...line.count
    where position == line.count || line[position] == UInt8(ascii: "\t") {
      var (low, high) = (start, position)
      while high > low, line[high - 1] == 0x20 || line[high - 1] == 0x0D { high -= 1 }
      while low < high, line[low] == 0x20 { low += 1 }
      cells.append(low..<high)
      start = position + 1
    }
    return cells
  }

  /// Whether all cells of a line are empty.
  static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == UInt8(ascii: "\t") }
  }
}
