/// The header of a report: the position of each column name, in lower case.
///
/// Apple separates columns by tabs. A copy in a warehouse, by Fivetran or Airbyte, is often a table
/// with commas, and with names such as `begin_date`.
struct ReportHeader {
  /// The byte between two columns: a tab, or a comma in a copy.
  let separator: UInt8
  /// The number of columns in the header.
  let count: Int
  private var columns: [String: Int] = [:]
  /// The position of each ``ReportColumn``; -1 for a missing column.
  private let places: [Int]
  /// The columns that contain the number of paid subscriptions under an offer, sorted by name.
  let offerStocks: [(name: String, position: Int)]
  /// The name of the first column, in lower case.
  let first: String?

  /// The names of columns that this program knows, keyed by Apple's other names of them.
  private static let other = [
    "promotional offer name": "subscription offer name", "sale or return": "sales or return",
    "sales/returns": "sales or return", "country code": "country", "country of sale": "country",
    "subscriber id reset": "subscriber reset", "event name": "event sub type",
    "event group": "event grouping",
  ]

  /// Reads a header; if a name occurs twice, the first column is used.
  init(_ line: [UInt8]) {
    separator =
      line.contains(UInt8(ascii: "\t")) || !line.contains(UInt8(ascii: ","))
      ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    let names = ReportRow.texts(line, separator: separator)
      .map { $0.lowercased().replacing("_", with: " ") }
    count = names.count
    first = names.first
    for (index, name) in names.enumerated() {
      let known = Self.other[name] ?? name
      columns[known] = columns[known] ?? index
    }
    let columns = columns
    places = ReportColumn.allCases.map { columns[$0.name] ?? -1 }
    offerStocks = columns.filter { Self.countsOffers($0.key) }
      .map { (name: $0.key, position: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Returns true if a column contains the number of paid subscriptions under an offer.
  ///
  /// Columns about free trials, grace periods and billing retry are excluded, because nothing is
  /// paid. Columns about opt-ins and subscribers are excluded too.
  private static func countsOffers(_ name: String) -> Bool {
    name != ReportColumn.activeSubscriptions.name && !name.contains("free trial")
      && (name.hasSuffix(" subscriptions") || name.hasSuffix(" win-back offers"))
  }

  /// The names of all columns, in lower case.
  var names: [String] { columns.keys.sorted() }

  /// Returns true if there is a column with this name; the name is in lower case.
  func has(_ name: String) -> Bool { columns[name] != nil }

  /// Returns true if the report has the given column, under its current or its former name.
  func has(_ column: ReportColumn) -> Bool { places[column.rawValue] >= 0 }

  /// The position of a column; -1 for a missing column.
  func position(_ column: ReportColumn) -> Int { places[column.rawValue] }
}
