internal import Amounts
internal import Pipeline
internal import Warehouse

/// Formats a section as text for people and as JSON for programs.
///
/// In the text, amounts such as `paid_milli` are written with the decimals of the row's `currency`:
/// 9990 → `9.99`. Empty columns are left out. A column with the number of unresolved or unconverted
/// rows is left out if it is 0 in every row of the table.
extension FactSection {
  /// The section as text: a title and a table, or the title and `none`.
  var text: String {
    guard !rows.isEmpty else { return "\(title): none." }
    let shown = columns.indices.filter { column in
      let isCount = ["unresolved_rows", "unconverted_rows"].contains {
        columns[column].hasSuffix($0)
      }
      return rows.contains { $0[column] != .null && !(isCount && $0[column] == .number(0)) }
    }
    var table = TextTable(
      shown.map { column in
        let isNumber = rows.contains {
          if case .number = $0[column] { true } else { false }
        }
        return (Self.title(of: columns[column]), isNumber ? .right : .left)
      })
    for row in rows { table.add(shown.map { text(row[$0], column: columns[$0], row: row) }) }
    return "\(title):\n\(table.text)"
  }

  private static func title(of column: String) -> String {
    var words = column.split(separator: "_")
    if words.count > 1, words.last == "milli" || words.last == "micros" { words.removeLast() }
    return words.joined(separator: " ")
  }

  private func text(_ value: Value, column: String, row: [Value]) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    case .number(let number):
      if column.hasSuffix("_milli") {
        Milliunits(number).text(decimals: decimals(of: row))
      } else if column.hasSuffix("_micros") {
        Self.text(Micros(number))
      } else {
        String(number)
      }
    }
  }

  private func decimals(of row: [Value]) -> Int {
    let currency = columns.firstIndex(of: "currency")
    guard let column = currency ?? columns.firstIndex(where: { $0.hasSuffix("_currency") }),
      case .text(let code) = row[column]
    else { return 2 }
    return Currency(code)?.decimals ?? 2
  }

  /// Formats millionths exactly, with at least two decimals: 1,500,000 → `1.50`.
  private static func text(_ amount: Micros) -> String {
    let magnitude = amount.rawValue.magnitude
    var fraction = String(magnitude % 1_000_000)
    fraction = String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    while fraction.utf8.count > 2, fraction.hasSuffix("0") { fraction.removeLast() }
    return (amount.rawValue < 0 ? "-" : "") + "\(magnitude / 1_000_000).\(fraction)"
  }

  /// The section as JSON: one object per row.
  var json: JSONText.Member {
    .init(
      key,
      .list(
        rows.map { row in
          .object(
            zip(columns, row).map { name, value in
              switch value {
              case .null: .init(name, .null)
              case .number(let number): .init(name, .number(number))
              case .text(let text): .init(name, .text(text))
              }
            })
        }))
  }
}
