internal import Diagnostics
internal import ExportReading
internal import Logging
internal import PurchaseModel
internal import Warehouse

/// Logs the result of reading new files.
extension IngestStage {
  /// Logs the number of files that were read.
  func report(of taken: Intake) {
    guard taken.storedFiles > 0 else {
      return log.info(
        "no new file; \(Count.text(taken.outcomes.count, "file")) read before",
        metadata: ["event": "no_new_file", "known": "\(taken.outcomes.count)"])
    }
    let tally = taken.tally
    log.notice(
      "read \(Count.text(taken.storedFiles, "new file")): \(Self.account(tally))",
      metadata: [
        "event": "files_read", "files": "\(taken.storedFiles)", "records": "\(tally.records)",
        "duplicates": "\(tally.duplicates)", "rejected": "\(tally.rejected)",
        "rejected_rows": "\(tally.rows.rejected)", "json_bytes": "\(taken.textBytes)",
      ])
    if !tally.tokens.isEmpty {
      log.info(
        "signed transactions: \(tally.tokens.text)",
        metadata: Dictionary(
          uniqueKeysWithValues: tally.tokens.counts.map { ("\($0.standing)_tokens", "\($0.count)") }
        ).merging(["event": "tokens_read"]) { $1 })
    }
    report(of: taken.notices, records: tally.records)
    warnOfImpossibleAmounts(taken.outcomes)
  }

  /// Warns about prices that cannot be right, such as prices with more decimals than their currency
  /// has.
  ///
  /// Only the run that reads the files warns.
  private func warnOfImpossibleAmounts(_ outcomes: [InputOutcome]) {
    let found = outcomes.filter { $0.notices.impossibleAmounts > 0 }
      .sorted { $0.path < $1.path }
    guard let first = found.first else { return }
    let count = found.reduce(0) { $0 + $1.notices.impossibleAmounts }
    let others = found.count > 1 ? " and \(Count.text(found.count - 1, "more file"))" : ""
    let signed =
      found.contains { $0.identity.kind == .signed } ? "\n  \(FactQuery.unusedSignedPrices)" : ""
    log.warning(
      """
      \(Count.text(count, "price")) in \(OneLine.text(first.path))\(others) cannot be right: more \
      decimals than the currency has, or a currency that ISO 4217 has never known. These prices \
      decide no amount. To list the rows, in \(OneLine.text(definition.warehousePath)) after the \
      run:
        \(FactQuery.impossibleReports)\(signed)
      """, metadata: ["event": "impossible_amounts", "prices": "\(count)"])
  }

  /// The tally as text: `105 records, 2 repeated, 1 rejected, 3 of 400 rows rejected`.
  private static func account(_ tally: RecordTally) -> String {
    var parts = [Count.text(tally.records, "record")]
    if tally.duplicates > 0 { parts.append("\(tally.duplicates) repeated") }
    if tally.rejected > 0 { parts.append("\(tally.rejected) rejected") }
    if tally.rows.rejected > 0 {
      parts.append("\(tally.rows.rejected) of \(Count.text(tally.rows.rows, "row")) rejected")
    }
    return parts.joined(separator: ", ")
  }

  /// Logs anomalies that are not rejects.
  private func report(of notices: ExportNotices, records: Int) {
    if notices.wrongSharedSecret > 0 {
      log.warning(
        """
        \(Count.text(notices.wrongSharedSecret, "response")) with status 21004: they were \
        requested with a wrong shared secret, so the purchases of these customers are missing; \
        send their receipts again with the app's own secret
        """)
    }
    if notices.unreadableIDs > 0 {
      log.warning(
        """
        \(Count.text(notices.unreadableIDs, "price report")) with a transaction id that a \
        spreadsheet has rounded, such as 1.8E+14: export the column as text; the reports are used \
        without it
        """)
    }
    if notices.unreadableStorefronts * 100 > records {
      log.warning(
        """
        \(notices.unreadableStorefronts) of \(Count.text(records, "record")) have a storefront \
        that is no country (expected, for example, USA, US or United States); they are used without it, \
        so their currency may be unknown
        """)
    }
    let counts = [
      ("sandbox_receipts", notices.sandboxReceipts), ("retryable", notices.retryable),
      ("deleted_accounts", notices.deletedAccounts),
      ("rejected_reports", notices.rejectedReports),
      ("unreadable_storefronts", notices.unreadableStorefronts),
      ("unreadable_times", notices.unreadableTimes), ("unreadable_ids", notices.unreadableIDs),
      ("rows_assumed_production", notices.assumedProduction),
      ("unknown_revocations", notices.unknownRevocations),
      ("sandbox_reports", notices.sandboxReports),
      ("other_events", notices.otherEvents), ("other_store_rows", notices.otherStoreRows),
      ("inferred_prices", notices.inferredPrices),
      ("undecided_offers", notices.undecidedOffers),
      ("rejects_not_kept", notices.rejectsNotKept),
    ].filter { $0.1 > 0 }
    guard !counts.isEmpty else { return }
    let words = counts.map { "\($0.0.replacing("_", with: " ")) \($0.1)" }
    log.info(
      "accepted with anomalies: \(words.joined(separator: ", "))",
      metadata: Dictionary(uniqueKeysWithValues: counts.map { ($0.0, "\($0.1)") })
        .merging(["event": "notices"]) { $1 })
  }
}
