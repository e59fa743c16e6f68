internal import Warehouse

extension DashboardFigures {
  /// The figures as JSON for an HTML page.
  ///
  /// Texts contain only ASCII letters, digits and escapes, so that they cannot end the element or
  /// become markup.
  var json: String {
    let units = units.map { unit in
      "[\(Self.text(unit.code)),\(unit.decimals),\(unit.isConverted ? 1 : 0)]"
    }
    let tables = tables.sorted { $0.key < $1.key }.map { name, table in
      let figures = table.rows.map { row in row.map(String.init).joined(separator: ",") }
      return "\(Self.text(name)):{\"columns\":\(Self.list(table.columns)),"
        + "\"figures\":[\(figures.joined(separator: ","))]}"
    }
    return "{\"units\":[\(units.joined(separator: ","))],\"months\":\(Self.list(months)),"
      + "\"completeMonths\":\(completeMonths),\"overMonths\":\(overMonths),"
      + "\"openMonths\":[\(openMonths.map(String.init).joined(separator: ","))],"
      + "\"days\":[\(Self.text(firstDay)),\(dayCount),\(completeDays)],\"products\":\(Self.list(products)),"
      + "\"apps\":\(Self.list(apps)),"
      + "\"appsOfProducts\":[\(appsOfProducts.map(String.init).joined(separator: ","))],"
      + "\"storefronts\":\(Self.list(storefronts)),"
      + "\"comparedMonths\":\(Self.list(comparedMonths)),\"causes\":\(Self.list(causes)),"
      + "\"tables\":{\(tables.joined(separator: ","))}}"
  }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map(text).joined(separator: ","))]"
  }

  /// Formats a text as JSON, with escapes.
  ///
  /// Example: `a<b` → `"a\u003cb"`.
  private static func text(_ text: String) -> String {
    var written = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F:
        written.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return written + "\""
  }
}
