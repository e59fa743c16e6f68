internal import Amounts
internal import CivilTime
package import Diagnostics

extension CorrectionsFile {
  /// Adds a correction to a corrections file; creates the file if it is missing.
  ///
  /// - Parameters:
  ///   - entry: The correction to write; its `place` is not used.
  ///   - isSamePurchase: Returns true if a transaction id belongs to the corrected purchase.
  /// - Throws: ``RunFailure`` with status 78 if a line already corrects the purchase, or if the
  ///   YAML list is written in a form that cannot be continued; then the file is unchanged.
  package static func add(
    _ entry: Entry, to path: String, isSamePurchase: (String) -> Bool = { _ in false }
  ) throws(RunFailure) -> CatalogueText.Place {
    var text = head
    if PathStatus.exists(path) {
      let found = try TextFile.read(path, what: "the corrections", limit: 16 << 20)
      text = hasContent(found) ? found : found + (isWholeLines(found) ? "" : "\n") + head
    }
    let known = try read(path: path, text: text).entries
    let other = known.first {
      $0.transactionID == entry.transactionID || isSamePurchase($0.transactionID)
    }
    if let other {
      let id = OneLine.text(entry.transactionID)
      let more =
        other.transactionID == entry.transactionID
        ? "" : ", as transaction \(OneLine.text(other.transactionID))"
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(other.place.text)): transaction \(id) is corrected here already\(more); \
        change this line
        """)
    }
    for longer in continuations(of: text, by: entry) {
      guard let entries = try? read(path: path, text: longer).entries, let added = entries.last,
        entries.dropLast().map(\.content) == known.map(\.content), added.content == entry.content
      else { continue }
      _ = try TextFile.write(longer, to: path, isPrivate: true)
      return added.place
    }
    throw RunFailure(
      .badConfiguration,
      """
      \(OneLine.text(path)): a line cannot be appended; add it to the list yourself:
      \(line(entry).dropLast())
      """)
  }

  /// Returns variants of the file's text, each with the entry added in a different YAML notation.
  ///
  /// The entry is on a new line with indentation, on a new line without indentation, or before the
  /// last bracket, as in `corrections: []`. The caller uses the first variant that is valid YAML.
  private static func continuations(of text: String, by entry: Entry) -> [String] {
    let lines = isWholeLines(text) ? text : text + "\n"
    var texts = [lines + line(entry), lines + line(entry).drop { $0 == " " }]
    if let end = text.lastIndex(of: "]") {
      let list = text[..<end]
      let last = list.last { !$0.isWhitespace }
      let comma = last == "[" || last == "," ? "" : ", "
      texts.append(list + comma + member(entry) + text[end...])
    }
    return texts
  }

  private static func isWholeLines(_ text: String) -> Bool { text.isEmpty || text.hasSuffix("\n") }

  /// Creates the pipeline's corrections file with an empty list, if the file is missing.
  package static func create(_ definition: PipelineDefinition) throws(RunFailure) {
    guard let path = definition.correctionsPath, !PathStatus.exists(path) else { return }
    _ = try TextFile.write(head, to: path, isPrivate: true)
  }

  private static let head = """
    # Amounts known from other sources. Remove a line to undo its correction.
    corrections:

    """

  private static func line(_ entry: Entry) -> String { "  - \(member(entry))\n" }

  private static func member(_ entry: Entry) -> String {
    let amount = entry.amount.text(decimals: entry.currency.decimals)
    let members = [
      "transaction_id: \(PriceListText.quoted(entry.transactionID))", "amount: \"\(amount)\"",
      "currency: \(entry.currency.code)", "reason: \(PriceListText.quoted(entry.reason))",
      "given_by: \(PriceListText.quoted(entry.givenBy))", "given_on: \(entry.givenOn.text)",
    ]
    return "{\(members.joined(separator: ", "))}"
  }
}
