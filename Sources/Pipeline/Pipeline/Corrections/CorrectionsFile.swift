package import Amounts
package import CivilTime
package import Diagnostics
internal import PurchaseModel

/// The amounts that the owner states in the file at `inputs.corrections`.
///
/// A correction replaces an amount that the rules decide. It does not replace a signed price, a
/// free row, or an amount that Apple's reports prove.
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
    /// The person who gave the correction.
    package var givenBy: String
    /// The day of the correction, as the corrections file states it.
    package var givenOn: CivilDay
    /// The file and line of the correction.
    package fileprivate(set) var place = CatalogueText.Place(file: "", line: 0)

    /// The entry with an empty file and line, to compare corrections regardless of their line.
    var content: Entry {
      var entry = self
      entry.place = CatalogueText.Place(file: "", line: 0)
      return entry
    }

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

  /// The corrections, in the order of the file.
  package var entries: [Entry] = []

  init() {}

  /// Reads the corrections of a pipeline; returns an empty list if the pipeline has no such file.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a missing file, and 78 with file and line for an
  ///   invalid file.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> CorrectionsFile {
    guard let path = definition.correctionsPath else { return CorrectionsFile() }
    guard PathStatus.exists(path) else {
      throw RunFailure(
        .inputMissing,
        """
        \(OneLine.text(path)): there is no such corrections file; create it with `paidline explain \
        --correct`, or remove inputs.corrections. \(DocsPage.inputs.reference)
        """)
    }
    return try read(
      path: path, text: TextFile.read(path, what: "the corrections", limit: 16 << 20))
  }

  /// Reads and checks the text of a corrections file.
  ///
  /// A text with only blank lines and comments has no corrections.
  static func read(path: String, text: String) throws(RunFailure) -> CorrectionsFile {
    guard hasContent(text) else { return CorrectionsFile() }
    let top = try SettingsMapping(
      SettingsFile(path: path, text: text), known: ["corrections"])
    var file = CorrectionsFile()
    var places: [String: Int] = [:]
    for given in try top.mappings("corrections", known: keys) {
      let entry = try entry(given)
      if let line = places.updateValue(given.line, forKey: entry.transactionID) {
        throw given.failure(
          "transaction_id",
          expected: "a transaction that no other line corrects; line \(line) already corrects it",
          found: entry.transactionID)
      }
      file.entries.append(entry)
    }
    return file
  }

  /// Whether any line of the text is neither blank nor a comment.
  static func hasContent(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { line in
      line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
    }
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
        "reason", expected: "the source of the amount, on one line", read: cleanText),
      givenBy: try given.requiredValue(
        "given_by", expected: "the person who states the amount", read: cleanText),
      givenOn: try given.requiredValue(
        "given_on", expected: "a day such as 2026-11-23", read: CivilDay.init(text:)))
    entry.place = CatalogueText.Place(file: given.file, line: given.line)
    if let expected = expectedAmount(instead: entry.amount, in: entry.currency) {
      throw given.failure(
        "amount", expected: expected,
        found: try given.requiredText("amount", expected: expected))
    }
    return entry
  }

  /// Returns the expected form of an amount, in words; `nil` if the currency allows the amount.
  ///
  /// A currency does not allow an amount with more decimals than the currency has.
  /// Example: 9.999 USD → `an amount in USD with at most 2 decimals`.
  package static func expectedAmount(instead amount: Milliunits, in currency: Currency) -> String? {
    guard !currency.allows(amount) else { return nil }
    let decimals = currency.decimals
    return "an amount in \(currency.code) "
      + (decimals == 0 ? "without decimals" : "with at most \(decimals) decimals")
  }

  /// Returns the text unchanged; `nil` if it is blank or has control characters.
  ///
  /// The warehouse refuses control characters.
  package static func cleanText(_ text: String) -> String? {
    text.utf8.allSatisfy { $0 >= 0x20 } && text.contains { $0 != " " } ? text : nil
  }

  /// The corrections as text for a digest, with one line per correction.
  ///
  /// If the digest changes, the facts are computed again. Reasons and names are included, because
  /// the table `audit_correction` contains them.
  var identity: String {
    entries.map { entry in
      [
        entry.transactionID, "\(entry.amount.rawValue)", entry.currency.code, entry.reason,
        entry.givenBy, entry.givenOn.text,
      ].map { "\($0.utf8.count):\($0)" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// Converts the transaction ids of the corrections to symbols of a run.
  ///
  /// A correction is left out if its transaction is not in the run.
  func corrections(in symbols: SymbolTable) -> [Catalogue.Correction] {
    entries.compactMap { entry in
      AppleNumber(known: entry.transactionID, in: symbols).map {
        Catalogue.Correction(
          transactionID: TransactionID($0), amount: entry.amount, currency: entry.currency)
      }
    }
  }
}
