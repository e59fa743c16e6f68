internal import CivilTime

/// The export files of a hard store: assigns each record to a file, sorted by time.
struct HardExport: Sendable {
  private struct Entry {
    var at: Int64
    var account: Int
    var item: Int
  }

  private let world: World
  private let accounts: [Account]
  private let files: Int
  private var uploads: [[Entry]]
  private var reports: [[Entry]]
  /// The charges, keyed by their form.
  private var charges: [ChargeForm: [[Entry]]] = [:]

  /// Assigns all records to export files by time; `files` is the number of files of each kind.
  init(_ world: World, _ accounts: [Account], files: Int) {
    self.world = world
    self.accounts = accounts
    self.files = files
    uploads = Array(repeating: [], count: files)
    reports = Array(repeating: [], count: files)
    for (number, account) in accounts.enumerated() {
      for (item, upload) in account.uploads.enumerated() {
        uploads[part(of: upload.at)].append(Entry(at: upload.at, account: number, item: item))
      }
      for (item, report) in account.prices.enumerated() where !report.isEmbedded {
        reports[part(of: report.arrivedAt)].append(
          Entry(at: report.arrivedAt, account: number, item: item))
      }
      for (item, charge) in account.charges.enumerated() {
        charges[charge.form, default: Array(repeating: [], count: files)][part(of: charge.at)]
          .append(Entry(at: charge.at, account: number, item: item))
      }
    }
    for part in 0..<files {
      uploads[part].sort { ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item) }
      reports[part].sort { ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item) }
    }
  }

  /// Creates a file of Apple's responses.
  func receipts(_ part: Int) -> SampleFile {
    file("receipts", part, uploads[part]) { entry, json in
      let account = accounts[entry.account]
      AppleResponse(world: world, account: account).write(account.uploads[entry.item], to: &json)
    }
  }

  /// Creates a file of price reports.
  func prices(_ part: Int) -> SampleFile {
    file("prices", part, reports[part]) { entry, json in
      ReportText(world: world, account: accounts[entry.account]).write(entry.item, to: &json)
    }
  }

  /// Creates a file of charges in one form.
  func charges(_ form: ChargeForm, _ part: Int) -> SampleFile {
    let entries = (charges[form]?[part] ?? []).sorted {
      ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item)
    }
    let head = form == .table ? ChargeText.head : nil
    return file(form.name, part, entries, ending: form.ending, head: head) { entry, json in
      let account = accounts[entry.account]
      ChargeText(world: world, account: account).write(account.charges[entry.item], to: &json)
    }
  }

  private func file(
    _ kind: String, _ part: Int, _ entries: [Entry], ending: String = "ndjson",
    head: String? = nil, _ write: (Entry, inout JSONBytes) -> Void
  ) -> SampleFile {
    var gzip = GzipWriter()
    var json = JSONBytes()
    if let head { json.raw(head + "\n") }
    for entry in entries {
      write(entry, &json)
      json.raw("\n")
      guard json.bytes.count >= 1 << 20 else { continue }
      gzip.append(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    gzip.append(json.bytes)
    let last = Instant(milliseconds: world.start).day
      .advanced(by: Int64((part + 1) * world.days / files - 1))
    return SampleFile(name: "\(kind)/\(kind)-\(last.text).\(ending).gz", bytes: gzip.finish())
  }

  /// The number of the export file whose days contain a moment; the first file has the number 0.
  ///
  /// Two files differ by at most one day in their number of days.
  private func part(of moment: Int64) -> Int {
    let day = Int((moment - world.start) / BillingClock.day)
    return min(files - 1, max(0, ((day + 1) * files - 1) / world.days))
  }
}

extension ChargeForm {
  /// The folder of the files, and the beginning of their names.
  var name: String {
    switch self {
    case .decoded: "decoded"
    case .table, .lines: "charges"
    case .webhook: "webhooks"
    }
  }

  /// The ending of the files' names, without `.gz`.
  var ending: String { self == .table ? "csv" : "ndjson" }

  /// The lines of the pipeline that read the files.
  var inputLines: String {
    let files = "\(name)/\(name)-{date}.\(ending).gz"
    switch self {
    case .decoded: return "  signed: [\"\(files)\"]\n"
    case .webhook: return "    - {files: \"\(files)\", format: revenuecat_webhook}\n"
    case .table, .lines:
      return """
            - files: "\(files)"
              price_is: charged
              keys: {transaction_id: transaction_id, product_id: product, price: amount, \
        currency: currency, reported_at: charged_at}

        """
    }
  }
}
