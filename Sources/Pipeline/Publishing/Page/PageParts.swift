internal import Amounts

struct PageSection {
  /// The id of the section's HTML element: letters and hyphens.
  var id: String
  var title: String
  /// The short title for the list of sections; empty if the section is not in the list.
  var short = ""
  /// The paragraphs above the figures, which explain the figures.
  var paragraphs: [String] = []
  var tiles: [PageTile] = []
  var panels: [PagePanel] = []
}

/// One figure in large type.
struct PageTile {
  /// The rating of a figure, shown by its color.
  enum Tone: String {
    case plain, good, warn
  }

  var label: String
  var value: String
  var note = ""
  var tone = Tone.plain
}

/// A group of tables.
struct PagePanel {
  /// A heading within the section, such as a currency; empty for no heading.
  var heading = ""
  /// A sentence next to the heading.
  var note = ""
  var tables: [PageTable]
}

struct PageTable {
  struct Column {
    var title: String
    var isNumber: Bool

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  var caption: String
  /// Whether the table is folded under its caption.
  var isFolded = false
  var columns: [Column]
  var rows: [[PageCell]] = []
  /// Whether rows are sorted by time; otherwise the first rows are the most important.
  var isByTime = false
  /// The text that is shown instead of an empty table.
  var whenEmpty = "None."
}

/// A cell of a table, as formatted text.
struct PageCell {
  var text: String
  /// Whether the text comes from outside, such as the name of a product.
  ///
  /// The page isolates this text, so that right-to-left text does not affect other cells.
  var isForeign = false
  var isUnknown = false
  /// Whether the cell is shown as code.
  ///
  /// Examples: the name of a rule, or a line for the configuration.
  var isCode = false

  /// Creates a cell with a text that is part of this program.
  static func text(_ text: String) -> PageCell { PageCell(text: text) }

  /// Creates a cell with a text from outside: a product, an offer, a file.
  static func foreign(_ text: String) -> PageCell { PageCell(text: text, isForeign: true) }

  /// Creates a cell that shows a name of the database as code, such as the name of a gate.
  static func code(_ text: String) -> PageCell { PageCell(text: text, isCode: true) }

  static func count(_ number: Int64) -> PageCell {
    PageCell(text: FigureText.count(number))
  }

  /// Creates a cell with an amount; `nil` is shown as unknown, not as 0.
  static func amount(
    _ amount: Milliunits?, _ currency: Currency?, unknown: String = "unknown"
  ) -> PageCell {
    guard let amount else { return PageCell(text: unknown, isUnknown: true) }
    return PageCell(text: FigureText.amount(amount, currency))
  }

  /// Creates a cell with a percentage; the text is `none` if the whole is 0.
  static func share(_ part: Int64, of whole: Int64) -> PageCell {
    guard let text = FigureText.share(part, of: whole) else {
      return PageCell(text: "none", isUnknown: true)
    }
    return PageCell(text: text)
  }

  static func currency(_ currency: Currency?) -> PageCell {
    currency.map { .text($0.code) } ?? PageCell(text: "unknown", isUnknown: true)
  }

  /// Creates a cell that states whether the figures of a row can still change.
  static func complete(_ isComplete: Bool) -> PageCell {
    PageCell(text: isComplete ? "yes" : "not yet")
  }
}
