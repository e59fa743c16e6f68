/// The parts of the page as the template asks for them.
extension PageSection {
  var values: [String: Any] {
    [
      "id": id, "title": title, "short": short, "paragraphs": paragraphs,
      "has_tiles": !tiles.isEmpty,
      "tiles": tiles.map(\.values), "panels": panels.map(\.values),
    ]
  }
}

extension PageTile {
  fileprivate var values: [String: Any] {
    var values: [String: Any] = ["label": label, "value": value, "tone": tone.rawValue]
    if !note.isEmpty { values["note"] = note }
    return values
  }
}

extension PagePanel {
  fileprivate var values: [String: Any] {
    var values: [String: Any] = ["tables": tables.map(\.values)]
    if !heading.isEmpty { values["heading"] = heading }
    if !note.isEmpty { values["note"] = note }
    if let chart { values["chart"] = chart.values }
    return values
  }
}

extension PageChart {
  fileprivate var values: [String: Any] {
    ["kind": kind.rawValue, "caption": caption, "decimals": decimals, "unit": unit]
  }
}

extension PageTable {
  fileprivate var values: [String: Any] {
    [
      "caption": caption, "folded": isFolded, "plain": !isFolded, "open": isOpen,
      "empty": rows.isEmpty, "when_empty": whenEmpty,
      "columns": columns.map { column in
        var values: [String: Any] = ["title": column.title, "number": column.isNumber]
        if !column.key.isEmpty { values["key"] = column.key }
        return values
      },
      "rows": rows.map { row in
        zip(columns, row).enumerated().map { position, cell in
          cell.1.markup(isNumber: cell.0.isNumber, isHead: position == 0)
        }.joined()
      },
    ]
  }
}

extension PageCell {
  /// The cell as it stands in the page.
  ///
  /// A page has tens of thousands of cells, and the template would ask for six values of each by
  /// their names.
  fileprivate func markup(isNumber: Bool, isHead: Bool) -> String {
    var attributes = isHead ? " scope=\"row\"" : ""
    let classes = [isNumber ? "number" : nil, isUnknown ? "unknown" : nil].compactMap { $0 }
    if !classes.isEmpty { attributes += " class=\"\(classes.joined(separator: " "))\"" }
    if !isHead, let value { attributes += " data-value=\"\(value)\"" }
    var content = PageText().escapeText(text)
    if isForeign {
      content = "<bdi>\(content)</bdi>"
    } else if isCode {
      content = "<code>\(content)</code>"
    }
    let element = isHead ? "th" : "td"
    return "<\(element)\(attributes)>\(content)</\(element)>"
  }
}
