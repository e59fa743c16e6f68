package import Amounts
package import CivilTime
package import Diagnostics
internal import PurchaseModel

/// The amounts that the owner knows better than any rule: the file of `inputs.corrections`.
///
/// ```yaml
/// corrections:
///   - {transaction_id: "1000", amount: "9.99", currency: USD, reason: "invoice 17", …}
/// ```
package struct CorrectionsFile {
  package struct Entry: Hashable, Sendable {
    /// Any transaction id of the purchase.
    package var transactionID: String
    /// The amount for the whole quantity, tax included.
    package var amount: Milliunits
    package var currency: Currency
    package var reason: String
    /// The person who gave it.
    package var givenBy: String
    /// The day on which it was given.
    package var givenOn: CivilDay
    /// The line of the file.
    package fileprivate(set) var place = CatalogueText.Place(file: "", line: 0)

    package init(
      transactionID: String, amount: Milliunits, currency: Currency, reason: String,
      givenBy: String, givenOn: CivilDay
    ) {
      self.transactionID = transactionID
      self.amount = amount
      self.currency = currency
      self.reason = reason
      self.givenBy = givenBy
      self.givenOn = givenOn
    }
  }

  /// The amounts, in the order of the file.
  package var entries: [Entry] = []

  init() {}

  /// Reads the corrections of a pipeline; none if it names no file.
  ///
  /// - Throws: ``RunFailure`` with 66 for a missing file, 78 with file and line for an invalid
  /// file.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> CorrectionsFile {
    guard let path = definition.correctionsPath else { return CorrectionsFile() }
    return try read(
      path: path, text: TextFile.read(path, what: "the corrections", limit: 16 << 20))
  }

  /// Checks the text of a corrections file.
  static func read(path: String, text: String) throws(RunFailure) -> CorrectionsFile {
    let top = try SettingsMapping(
      SettingsFile(path: path, text: text), known: ["corrections"])
    var file = CorrectionsFile()
    var places: [String: Int] = [:]
    for given in try top.mappings("corrections", known: keys) {
      let entry = try entry(given)
      if let line = places.updateValue(given.line, forKey: entry.transactionID) {
        throw given.failure(
          "transaction_id", expected: "a transaction that is not corrected in line \(line)",
          found: entry.transactionID)
      }
      file.entries.append(entry)
    }
    return file
  }

  private static let keys = [
    "transaction_id", "amount", "currency", "reason", "given_by", "given_on",
  ]

  private static func entry(_ given: SettingsMapping) throws(RunFailure) -> Entry {
    var entry = Entry(
      transactionID: try given.requiredValue(
        "transaction_id", expected: "a transaction id of the purchase", read: cleanText),
      amount: try given.requiredValue(
        "amount", expected: "what was paid, such as \"9.99\", with at most three decimals",
        read: { try? Milliunits(decimal: $0) }),
      currency: try given.requiredValue(
        "currency", expected: "a currency of three letters", read: Currency.init),
      reason: try given.requiredValue(
        "reason", expected: "how the amount is known, on one line", read: cleanText),
      givenBy: try given.requiredValue("given_by", expected: "who knows it", read: cleanText),
      givenOn: try given.requiredValue(
        "given_on", expected: "a day such as 2026-11-23", read: CivilDay.init(text:)))
    entry.place = CatalogueText.Place(file: given.file, line: given.line)
    return entry
  }

  /// Text without control characters, which the warehouse refuses, and not blank.
  private static func cleanText(_ text: String) -> String? {
    text.utf8.allSatisfy { $0 >= 0x20 } && text.contains { $0 != " " } ? text : nil
  }

  /// The content as text, a line an entry: facts were decided by it.
  ///
  /// Reasons and names belong to it, because `audit_correction` holds them.
  var identity: String {
    entries.map { entry in
      [
        entry.transactionID, "\(entry.amount.rawValue)", entry.currency.code, entry.reason,
        entry.givenBy, entry.givenOn.text,
      ].map { "\($0.utf8.count):\($0)" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// The corrections in the symbols of a run; a transaction that the run never met is left out.
  func corrections(in symbols: SymbolTable) -> [Catalogue.Correction] {
    entries.compactMap { entry in
      AppleNumber(known: entry.transactionID, in: symbols).map {
        Catalogue.Correction(
          transactionID: TransactionID($0), amount: entry.amount, currency: entry.currency)
      }
    }
  }
}
