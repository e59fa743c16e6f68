/// The first line of a report: which column has which name, whatever its case and version.
struct ReportHeader {
  /// The number of columns.
  let count: Int
  private var columns: [String: Int] = [:]
  /// The name of the first column, in small letters.
  let first: String?

  /// Names that have drifted, and the one that is requested here.
  private static let former = [
    "promotional offer name": "subscription offer name", "sale or return": "sales or return",
    "sales/returns": "sales or return", "country code": "country", "country of sale": "country",
    "subscriber id reset": "subscriber reset",
  ]

  /// Reads a header; of two columns of one name the first is used.
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

  /// The names of all columns, in small letters.
  var names: [String] { columns.keys.sorted() }

  /// Whether there is a column of this name, in small letters.
  func has(_ name: String) -> Bool { columns[name] != nil }

  /// The position of a column.
  func column(_ name: String) -> Int? { columns[name] }
}

/// One line of a report under its header.
struct ReportRow {
  private let header: ReportHeader
  private let line: [UInt8]
  private let cells: [Range<Int>]

  /// Reads a line; `nil` if it has more cells than the header has names, so that they have shifted.
  init?(_ line: [UInt8], under header: ReportHeader) {
    cells = Self.cells(line)
    guard cells.count <= header.count else { return nil }
    self.line = line
    self.header = header
  }

  /// The text of a cell; `nil` for an absent column, a blank and an empty text.
  func text(_ name: String) -> String? {
    guard let bytes = bytes(name) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of a cell that is not empty.
  func bytes(_ name: String) -> ArraySlice<UInt8>? {
    guard let column = header.column(name), column < cells.count, !cells[column].isEmpty else {
      return nil
    }
    return line[cells[column]]
  }

  /// The places of the cells of a line, without the blanks around them.
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
