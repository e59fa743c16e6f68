internal import CivilTime

/// An ordinary store that has Apple's signed transactions for some of its responses.
///
/// The tokens are signed under the store's own root, `signed/root.der`. The purchases and their
/// truth are equal to a ``SampleStore`` with equal options, but signed prices make more amounts
/// resolvable. Equal options give equal bytes, except for signatures.
public struct SignedStore: SyntheticStore {
  private let store: SampleStore
  private let authority: SampleAuthority
  /// The files of the export, without empty files of receipts or signed transactions.
  private let exports: [Export]

  private enum Export: Sendable {
    /// A file of the ``SampleStore``, by its number in that store.
    case plain(Int)
    /// A file of signed transactions, by the number of the receipt file for the same days.
    case signed(Int)
  }

  /// Simulates all customers, and signs the responses that the settings select.
  public init(_ options: SampleOptions, signing share: SignedShare) throws {
    authority = try SampleAuthority(seed: options.seed)
    let store = SampleStore(options) { share.sign(&$0, seed: options.seed) }
    let parts = 0..<options.files
    let signed = parts.filter { !store.exports.signed[$0].isEmpty }
    let receipts = parts.filter { !signed.contains($0) || !store.exports.uploads[$0].isEmpty }
    let prices = options.files..<store.exportCount
    exports = receipts.map(Export.plain) + prices.map(Export.plain) + signed.map(Export.signed)
    self.store = store
  }

  /// The options of the store, without the settings of signed responses.
  public var options: SampleOptions { store.options }
  /// The truth about all purchases that the exports show.
  public var truth: StoreTruth { store.truth }
  /// The number of export files: receipts, prices and signed transactions.
  public var exportCount: Int { exports.count }

  /// Returns one export file: first the files of the ``SampleStore``, then the signed transactions.
  public func export(_ number: Int) throws -> SampleFile {
    switch exports[number] {
    case .plain(let plain): return store.export(plain)
    case .signed(let part): return try signed(part)
    }
  }

  private func signed(_ part: Int) throws -> SampleFile {
    var gzip = GzipWriter()
    var json = JSONBytes()
    for entry in store.exports.signed[part] {
      let account = store.accounts[entry.account]
      try write(account.uploads[entry.item], of: account, to: &json)
      if json.bytes.count >= 1 << 20 {
        gzip.append(json.bytes)
        json.bytes.removeAll(keepingCapacity: true)
      }
    }
    gzip.append(json.bytes)
    return SampleFile(
      name: "signed/signed-\(store.exports.lastDay(of: part).text).ndjson.gz",
      bytes: gzip.finish())
  }

  /// Creates the files other than exports: those of the ``SampleStore``, and the root certificate.
  public func accompanyingFiles() -> [SampleFile] {
    store.accompanyingFiles().map { file in
      file.name == "pipeline.yaml" ? SampleFile(name: file.name, bytes: pipeline(file)) : file
    } + [SampleFile(name: "signed/root.der", bytes: authority.root)]
  }

  private func pipeline(_ file: SampleFile) -> [UInt8] {
    let catalogue = "  catalog: catalog.yaml\n"
    let signed = """
        signed: ["signed/signed-{date}.ndjson.gz"]
        # Instead of Apple's root: who has it believes whatever this store signs.
        signed_roots: [signed/root.der]

      """
    let text = String(decoding: file.bytes, as: UTF8.self)
    return Array(text.replacing(catalogue, with: signed + catalogue).utf8)
  }

  /// Writes the records of one signed response.
  ///
  /// A response with one purchase becomes a notification, a token with its renewal state, or a
  /// single token. Any other response becomes pages of up to twenty transactions, and the status of
  /// its subscriptions.
  private func write(
    _ upload: AccountUpload, of account: Account, to json: inout JSONBytes
  ) throws {
    let writer = SignedRecordWriter(
      authority: authority, store.world, account, at: upload.at,
      pricesFrom: upload.signedFrom ?? 0)
    let rows = Array(account.visible(at: upload.at).reversed())
    let wrapping: SignedForm.Wrapping =
      switch upload.form {
      case .text: .text
      case _ where account.customerID(at: upload.at).isEmpty: .alone
      case .record, .bare, .notification, .flat: .record
      }
    let isSubscribed = rows.contains { account.purchases[$0].isSubscription }
    if rows.count == 1 {
      let forms: [SignedForm] = isSubscribed ? [.notification, .pair] : [.storeKit, .token]
      try writer.write(forms[upload.style & 1], wrapping, rows: rows, to: &json)
      return
    }
    for start in stride(from: 0, to: rows.count, by: 20) {
      let page = Array(rows[start..<min(start + 20, rows.count)])
      try writer.write(.history, wrapping, rows: page, to: &json)
    }
    if isSubscribed { try writer.write(.status, wrapping, rows: rows, to: &json) }
  }
}
