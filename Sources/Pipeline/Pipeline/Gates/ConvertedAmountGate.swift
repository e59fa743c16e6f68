internal import Diagnostics
internal import ExportReading
internal import Warehouse

/// The gate `converted_amounts`: prices seem to be converted from another currency.
///
/// Each new file with at least 20 different amounts is checked, and the new files of a pipeline
/// entry together. Example: a table has US dollars beside the currency of the purchase, so that
/// 6.99 USD are 7.61 "EUR" on one day and 6.38 on another.
struct ConvertedAmountGate {
  /// The patterns of the pipeline's price files.
  let patterns: [InputPattern]
  /// The new files, with their ids in state.db.
  let files: [(id: Int64, name: String)]

  /// The amounts of an entry's new files.
  private struct Entry {
    var pattern: InputPattern
    /// The amounts of all files together.
    var all = AmountEndings()
    /// The amounts of the first file whose own amounts are converted.
    var ofFile: AmountEndings?

    /// The converted amounts; `nil` if no file's are, nor those of all files together.
    var converted: AmountEndings? { ofFile ?? (all.areConverted ? all : nil) }
  }

  func findings(_ sums: [Int64: ReportFileSums]) -> [GateFinding] {
    var entries: [String: Entry] = [:]
    for file in files {
      // Amounts outside of price files are Apple's own, or what StoreKit showed with a receipt.
      guard let endings = sums[file.id]?.endings,
        let pattern = patterns.first(where: { $0.holds(file.name) }),
        pattern.fieldMapping?.hasLocalAmounts != true
      else { continue }
      var entry = entries[pattern.text] ?? Entry(pattern: pattern)
      entry.all.add(endings)
      if entry.ofFile == nil, endings.areConverted { entry.ofFile = endings }
      entries[pattern.text] = entry
    }
    return entries.sorted { $0.key < $1.key }.compactMap { entry, read in
      guard let found = read.converted else { return nil }
      let name = OneLine.text(entry)
      let field = OneLine.text(read.pattern.fieldMapping?.priceField ?? "price")
      var finding = GateFinding(
        .convertedAmounts,
        [
          GateFinding.Item(
            subject: entry,
            found: "\(found.oddCount) of \(Count.text(found.count, "different amount")) "
              + "end in other digits than 0, 5 and 9",
            expected: "prices of the App Store, such as 9.99 or 12.50")
        ],
        message: """
          the amounts in \(name) seem to be converted from another currency: \
          \(found.oddCount) of \(Count.text(found.count, "different amount")) in \(field) \
          end in other digits than 0, 5 and 9, such as \(found.examples).
          """, fault: "converted_amounts \(entry)")
      finding.remedy =
        "Read the field with the amounts in the purchase's own currency: services name it "
        + "price_in_purchased_currency, priceInPurchasedCurrency or price_local (keys: {price: …}). "
        + "If the amounts are in that currency already, write amounts: local in the entry."
      finding.duration = .standing
      finding.page = .formats
      return finding
    }
  }
}
