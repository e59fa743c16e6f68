/// The values that fill the page's template, keyed by their names in the template.
extension PageSection {
  var values: [String: Any] {
    [
      "id": id, "title": title, "paragraphs": paragraphs,
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
    return values
  }
}

extension PageTable {
  fileprivate var values: [String: Any] {
    [
      "caption": caption, "folded": isFolded, "plain": !isFolded,
      "empty": rows.isEmpty, "when_empty": whenEmpty,
      "columns": columns.map { column in
        ["title": column.title, "number": column.isNumber]
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
  /// Formats the cell as HTML markup.
  ///
  /// The template does not build this markup: it would have to look up six values by name for each
  /// of tens of thousands of cells.
  fileprivate func markup(isNumber: Bool, isHead: Bool) -> String {
    var attributes = isHead ? " scope=\"row\"" : ""
    let classes = [isNumber ? "number" : nil, isUnknown ? "unknown" : nil].compactMap { $0 }
    if !classes.isEmpty { attributes += " class=\"\(classes.joined(separator: " "))\"" }
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
