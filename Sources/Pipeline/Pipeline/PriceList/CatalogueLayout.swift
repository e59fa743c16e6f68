/// The lines of a catalogue's text, to find the place of a new line.
struct CatalogueLayout {
  private var lines: [String]
  private let known: CatalogueText

  init(_ text: String, _ known: CatalogueText) {
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    self.known = known
  }

  /// Returns variants of the text with the line, each with the number of the line.
  ///
  /// The caller uses the first variant that has the line and is otherwise equal.
  func continuations(by line: CatalogueLine) -> [(text: String, line: Int)] {
    let product = known.products.first {
      $0.productID == line.productID && $0.bundleID == line.bundleID
    }
    guard let start = product?.place.map({ $0.line - 1 }) else { return newProduct(line) }
    guard let dash = indent(start), lines[start].utf8.dropFirst(dash).first == UInt8(ascii: "-")
    else { return [] }
    let member = dash + 1 + lines[start].utf8.dropFirst(dash + 1).prefix { $0 == 0x20 }.count
    let block = start..<end(after: start, indent: dash)
    guard let key = block.first(where: { begins($0, with: "\(line.list.rawValue):", at: member) })
    else {
      let space = String(repeating: " ", count: member)
      return [
        inserting(
          ["\(space)\(line.list.rawValue):", "\(space)  - \(line.yaml)"],
          after: lastContent(block) ?? start, newLine: 1)
      ]
    }
    let next = (key + 1..<block.upperBound).first {
      indent($0).map { $0 <= member } ?? false && !begins($0, with: "-", at: member)
    }
    let list = key..<(next ?? block.upperBound)
    if let bracketed = inBrackets(line, list) { return [bracketed] }
    let item = list.dropFirst().compactMap { indent($0) }.first ?? member + 2
    let added = String(repeating: " ", count: item) + "- \(line.yaml)"
    return [inserting([added], after: lastContent(list) ?? key, newLine: 0)]
  }

  /// Returns variants with a new product at the end of `products`.
  private func newProduct(_ line: CatalogueLine) -> [(text: String, line: Int)] {
    func block(_ indent: Int) -> [String] {
      line.block.map { String(repeating: " ", count: indent) + $0 }
    }
    let numberInBlock = line.block.count - 1
    guard let key = lines.indices.first(where: { begins($0, with: "products:", at: 0) }) else {
      let last = lines.count - 1
      return [inserting(["products:"] + block(2), after: last, newLine: numberInBlock + 1)]
    }
    var layout = self
    let isEmptyList = lines[key].filter { $0 != " " && $0 != "\r" } == "products:[]"
    if isEmptyList { layout.lines[key] = "products:" }
    let list =
      key..<((key + 1..<lines.count).first { indent($0) == 0 && !begins($0, with: "-", at: 0) }
      ?? lines.count)
    let item = list.dropFirst().compactMap { indent($0) }.first ?? 2
    return [
      layout.inserting(block(item), after: lastContent(list) ?? key, newLine: numberInBlock)
    ]
  }

  /// Returns the text with the line at the end of a list in brackets, such as `prices: [{…}]`;
  /// `nil` if the list is not in brackets.
  private func inBrackets(_ line: CatalogueLine, _ list: Range<Int>) -> (text: String, line: Int)? {
    let value = lines[list.lowerBound].drop { $0 != ":" }.dropFirst().drop { $0 == " " }
    guard value.first == "[" else { return nil }
    guard let last = list.last(where: { lines[$0].contains("]") }),
      let end = lines[last].lastIndex(of: "]")
    else { return nil }
    var layout = self
    let before = lines[last][..<end]
    let isFirst = before.last { !$0.isWhitespace } == "["
    layout.lines[last] = before + (isFirst ? "" : ", ") + line.yaml + lines[last][end...]
    return (layout.text, last + 1)
  }

  private func inserting(_ new: [String], after index: Int, newLine: Int) -> (
    text: String, line: Int
  ) {
    var layout = self
    layout.lines.insert(contentsOf: new, at: index + 1)
    return (layout.text, index + 2 + newLine)
  }

  private var text: String { lines.map { $0 + "\n" }.joined() }

  /// The number of spaces before the content of a line; `nil` for a blank line or a comment.
  private func indent(_ index: Int) -> Int? {
    let bytes = lines[index].utf8
    guard let start = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }),
      bytes[start] != UInt8(ascii: "#")
    else { return nil }
    return bytes.distance(from: bytes.startIndex, to: start)
  }

  private func begins(_ index: Int, with text: String, at column: Int) -> Bool {
    let found = indent(index)
    // The first key of a product is after the dash of the list.
    let isAfterDash =
      found.map { $0 < column } ?? false
      && lines[index].utf8.dropFirst(found ?? 0).first == UInt8(ascii: "-")
    guard found == column || isAfterDash else { return false }
    return lines[index].utf8.dropFirst(column).starts(with: text.utf8)
  }

  private func end(after start: Int, indent column: Int) -> Int {
    (start + 1..<lines.count).first { index in indent(index).map { $0 <= column } ?? false }
      ?? lines.count
  }

  private func lastContent(_ range: Range<Int>) -> Int? { range.last { indent($0) != nil } }
}
