internal import Amounts

/// A section of the page.
struct PageSection {
  /// Its anchor: letters and hyphens.
  var id: String
  var title: String
  /// The short title for the list of sections; empty if it is left out there.
  var short = ""
  /// The explanation of the figures, above them.
  var paragraphs: [String] = []
  var tiles: [PageTile] = []
  var panels: [PagePanel] = []
}

/// One figure in large type.
struct PageTile {
  /// The verdict that a figure's colour shows.
  enum Tone: String {
    case plain, good, warn
  }

  var label: String
  var value: String
  var note = ""
  var tone = Tone.plain
}

/// Tables that belong together.
struct PagePanel {
  /// A heading within the section, such as a currency; empty for none.
  var heading = ""
  /// A sentence beside the heading.
  var note = ""
  var tables: [PageTable]
}

/// A table of figures.
struct PageTable {
  struct Column {
    var title: String
    var isNumber: Bool

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  var caption: String
  /// Whether it is folded under a line.
  var isFolded = false
  var columns: [Column]
  var rows: [[PageCell]] = []
  /// Whether rows are in the order of time; the first ones matter most else.
  var isByTime = false
  /// The text in place of an empty table.
  var whenEmpty = "None."
}

/// One cell, as people read it.
struct PageCell {
  var text: String
  /// Whether the text comes from outside, so that its direction of writing stays in the cell.
  var isForeign = false
  /// Whether it shows an unknown value.
  var isUnknown = false
  /// Whether it is a line of code.
  var isCode = false

  /// A text of our own.
  static func text(_ text: String) -> PageCell { PageCell(text: text) }

  /// A text from outside: a product, an offer, a file.
  static func foreign(_ text: String) -> PageCell { PageCell(text: text, isForeign: true) }

  /// A name of the database.
  static func code(_ text: String) -> PageCell { PageCell(text: text, isCode: true) }

  static func count(_ number: Int64) -> PageCell {
    PageCell(text: FigureText.count(number))
  }

  /// An amount; `nil` is not known, and is never 0.
  static func amount(
    _ amount: Milliunits?, _ currency: Currency?, unknown: String = "unknown"
  ) -> PageCell {
    guard let amount else { return PageCell(text: unknown, isUnknown: true) }
    return PageCell(text: FigureText.amount(amount, currency))
  }

  /// A share; of nothing it is not known.
  static func share(_ part: Int64, of whole: Int64) -> PageCell {
    guard let text = FigureText.share(part, of: whole) else {
      return PageCell(text: "none", isUnknown: true)
    }
    return PageCell(text: text)
  }

  static func currency(_ currency: Currency?) -> PageCell {
    currency.map { .text($0.code) } ?? PageCell(text: "unknown", isUnknown: true)
  }

  /// Whether the figures of a row can still change.
  static func complete(_ isComplete: Bool) -> PageCell {
    PageCell(text: isComplete ? "yes" : "not yet")
  }
}
