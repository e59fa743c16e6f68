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
        let cells = zip(columns, row).map { column, cell in cell.values(isNumber: column.isNumber) }
        return ["head": Array(cells.prefix(1)), "cells": Array(cells.dropFirst())]
      },
    ]
  }
}

extension PageCell {
  fileprivate func values(isNumber: Bool) -> [String: Any] {
    var values: [String: Any] = ["text": text]
    if let value { values["value"] = value }
    let classes = [isNumber ? "number" : nil, isUnknown ? "unknown" : nil].compactMap { $0 }
    if !classes.isEmpty { values["class"] = classes.joined(separator: " ") }
    if isForeign {
      values["foreign"] = true
    } else if isCode {
      values["code"] = true
    } else {
      values["plain"] = true
    }
    return values
  }
}
