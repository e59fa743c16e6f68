internal import CivilTime

/// The store of `SampleData` with an additional file that has every form of signed transactions.
///
/// The file is small; its customers are from the hand-made stories. Receipts have all purchases of
/// the file too, so the truth does not change.
public struct SignedShowcase: SyntheticStore {
  private let store = SampleStore(.showcase)
  private let authority: SampleAuthority
  private let stranger: SampleAuthority

  /// Creates the root of the tokens, and another root for forged tokens.
  public init() throws {
    authority = try SampleAuthority(seed: 1)
    stranger = try SampleAuthority(seed: 2, name: "Somebody Else's Root")
  }

  /// The lines of the file, each with the form of its data, the record around it, and its customer.
  private static let lines: [(form: SignedForm, wrapping: SignedForm.Wrapping, customer: String)] =
    [
      (.token, .alone, "s-nobody-knows"), (.token, .record, "s-quantity"),
      (.quoted, .alone, "s-consent-unseen"),
      (.pair, .alone, "s-trial-then-paid"), (.pair, .record, "s-half-price"),
      (.history, .alone, "s-unknown-code"), (.history, .record, "s-consent-seen"),
      (.history, .text, "s-lapse-and-return"),
      (.status, .alone, "s-grace-now"), (.status, .record, "s-downgrade"),
      (.notification, .alone, "s-price-cut"), (.notification, .record, "s-win-back"),
      (.notificationHistory, .alone, "s-free-promotion"),
      (.notificationHistory, .record, "s-moved"),
      (.storeKit, .alone, "s-refund-of-purchase"), (.storeKit, .record, "s-other-customers"),
      (.decoded, .alone, "s-catalogued-code"), (.decoded, .record, "s-no-reference"),
      (.token, .record, "s-sandbox"),
    ]

  /// The options of the store: ``SampleOptions/showcase``.
  public var options: SampleOptions { store.options }
  /// The truth about all purchases, equal to the truth of the ``SampleStore``.
  public var truth: StoreTruth { store.truth }
  /// The number of export files: one more than in the ``SampleStore``.
  public var exportCount: Int { store.exportCount + 1 }

  /// Returns one export file; the last file has all forms of signed data.
  public func export(_ number: Int) throws -> SampleFile {
    guard number == store.exportCount else { return store.export(number) }
    var json = JSONBytes()
    for line in Self.lines {
      try write(line.form, line.wrapping, about: line.customer, by: authority, to: &json)
    }
    // A forged token, signed under another root.
    try write(.token, .alone, about: "s-catalogue-only", by: stranger, to: &json)
    var gzip = GzipWriter()
    gzip.append(json.bytes)
    return SampleFile(
      name: "signed/signed-\(store.exports.lastDay(of: options.files - 1).text).ndjson.gz",
      bytes: gzip.finish())
  }

  /// Creates the files other than exports: those of the ``SampleStore``, and the root certificate.
  public func accompanyingFiles() -> [SampleFile] {
    store.accompanyingFiles() + [SampleFile(name: "signed/root.der", bytes: authority.root)]
  }

  /// Writes a line that was signed a second after the customer's newest receipt.
  private func write(
    _ form: SignedForm, _ wrapping: SignedForm.Wrapping, about name: String,
    by authority: SampleAuthority, to json: inout JSONBytes
  ) throws {
    guard let account = store.accounts.first(where: { $0.identities[0].id == name }),
      let upload = account.uploads.max(by: { $0.at < $1.at })
    else { preconditionFailure("no story of \(name)") }
    let writer = SignedRecordWriter(
      authority: authority, store.world, account, at: upload.at + 1000,
      pricesFrom: store.world.start)
    try writer.write(form, wrapping, rows: account.visible(at: upload.at).reversed(), to: &json)
  }
}
