internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PurchaseModel

extension CorrectionsFile {
  /// Adds a line to the corrections file of a pipeline; creates a missing file.
  ///
  /// - Parameters:
  ///   - entry: The amount; its file and line are not used.
  ///   - path: The file.
  /// - Returns: The file and number of the new line.
  /// - Throws: ``RunFailure`` with status 78 if the purchase is already corrected, or if a line at
  ///   the end of the file would not belong to its list; then the file is unchanged.
  package static func add(_ entry: Entry, to path: String) throws(RunFailure)
    -> CatalogueText.Place
  {
    var text = head
    if PathStatus.exists(path) {
      text = try TextFile.read(path, what: "the corrections", limit: 16 << 20)
      let known = try read(path: path, text: text)
      if let other = known.entries.first(where: { $0.transactionID == entry.transactionID }) {
        throw RunFailure(
          .badConfiguration,
          """
          \(OneLine.text(other.place.text)): transaction \(OneLine.text(entry.transactionID)) is \
          corrected here already; change this line
          """)
      }
      if !text.hasSuffix("\n") { text += "\n" }
    }
    text += line(entry)
    let added = try? read(path: path, text: text).entries.last
    guard let added, added.transactionID == entry.transactionID else {
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(path)): a line cannot be appended; add it to the list yourself:
        \(line(entry).dropLast())
        """)
    }
    _ = try WholeFile.write(text, to: path, isPrivate: true)
    return added.place
  }

  /// Creates the file of a pipeline without a line, if it is missing.
  package static func create(_ definition: PipelineDefinition) throws(RunFailure) {
    guard let path = definition.correctionsPath, !PathStatus.exists(path) else { return }
    _ = try WholeFile.write(head, to: path, isPrivate: true)
  }

  private static let head = """
    # Amounts known from other sources. Remove a line to undo its correction.
    corrections:

    """

  private static func line(_ entry: Entry) -> String {
    let amount = entry.amount.text(decimals: entry.currency.decimals)
    let members = [
      "transaction_id: \(PriceListText.quoted(entry.transactionID))", "amount: \"\(amount)\"",
      "currency: \(entry.currency.code)", "reason: \(PriceListText.quoted(entry.reason))",
      "given_by: \(PriceListText.quoted(entry.givenBy))", "given_on: \(entry.givenOn.text)",
    ]
    return "  - {\(members.joined(separator: ", "))}\n"
  }
}
