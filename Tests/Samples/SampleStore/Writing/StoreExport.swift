internal import CivilTime

/// The export files of a store: assigns each record to a file, sorted by time.
struct StoreExport: Sendable {
  /// A record, given by its account and its position in the account's uploads, reports or charges.
  struct Entry: Sendable {
    var at: Int64
    var account: Int
    var item: Int
  }

  private let world: World
  private let accounts: [Account]
  private let files: Int
  private let responses: ResponseWriter
  /// Unusual lines at the end of files.
  private let oddLines: [OddLine]
  /// The receipts of each file, sorted by time.
  private(set) var uploads: [[Entry]]
  /// The signed responses of each file, sorted by time.
  private(set) var signed: [[Entry]]
  private var reports: [[Entry]]
  /// The charges, keyed by their form.
  private var charges: [ChargeForm: [[Entry]]] = [:]

  /// Assigns all records to export files by time; `files` is the number of files of each kind.
  init(_ world: World, _ accounts: [Account], files: Int, _ oddLines: [OddLine] = []) {
    self.world = world
    self.accounts = accounts
    self.files = files
    self.oddLines = oddLines
    responses = ResponseWriter(world: world)
    uploads = Array(repeating: [], count: files)
    signed = uploads
    reports = Array(repeating: [], count: files)
    for (number, account) in accounts.enumerated() {
      for (item, upload) in account.uploads.enumerated() {
        let entry = Entry(at: upload.at, account: number, item: item)
        if upload.signedFrom == nil {
          uploads[part(of: upload.at)].append(entry)
        } else {
          signed[part(of: upload.at)].append(entry)
        }
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
      signed[part].sort { ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item) }
      reports[part].sort { ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item) }
    }
  }

  /// Creates a file of Apple's responses.
  ///
  /// If the store has broken lines, some records occur twice, a few lines are cut, and some
  /// additional responses have an error status.
  func receipts(_ part: Int) -> SampleFile {
    var random = SampleRandom(seed: world.seed, stream: 1 << 40 | UInt64(part))
    return file("receipts", part, uploads[part]) { entry, json in
      let start = json.bytes.count
      write(entry, to: &json)
      guard world.reporting.hasBrokenLines else { return }
      addTrouble(from: start, at: entry.at, &random, to: &json)
    }
  }

  private func write(_ entry: Entry, to json: inout JSONBytes) {
    let account = accounts[entry.account]
    responses.write(account.uploads[entry.item], of: account, to: &json)
    json.raw("\n")
  }

  /// Creates a receipt file, `days` after the last export, that repeats one of the export's
  /// responses.
  ///
  /// Number 0 is the newest response. The file adds no data, but its day marks all earlier days as
  /// complete.
  func repeatedReceipt(_ number: Int, after days: Int64) -> SampleFile {
    let entry = uploads[files - 1].dropLast(number).suffix(1)
    let day = lastDay(of: files - 1).advanced(by: days)
    return file("receipts", on: day, Array(entry), write)
  }

  /// Creates a file of price reports; if the store has broken lines, some reports occur twice.
  func prices(_ part: Int) -> SampleFile {
    var random = SampleRandom(seed: world.seed, stream: 1 << 41 | UInt64(part))
    return file("prices", part, reports[part]) { entry, json in
      let start = json.bytes.count
      PriceReportWriter(world: world, account: accounts[entry.account])
        .write(entry.item, to: &json)
      json.raw("\n")
      if world.reporting.hasBrokenLines, random.happens(perMille: 3) { json.repeatFrom(start) }
    }
  }

  private func addTrouble(
    from start: Int, at moment: Int64, _ random: inout SampleRandom, to json: inout JSONBytes
  ) {
    switch random.below(1000) {
    case 0, 1, 2: json.repeatFrom(start)
    case 3:
      let half = (json.bytes.count - start) / 2
      json.bytes.append(contentsOf: json.bytes[start..<(start + half)])
      json.raw("\n")
    case 4:
      let statuses: [StaticString] = [
        "21002", "21003", "21005", "21007", "21009", "21010", "21100",
      ]
      json.raw("{\"received_at\":")
      json.isoTime(moment)
      json.raw(",\"response\":{\"status\":")
      json.raw(statuses[random.below(statuses.count)])
      json.raw(",\"environment\":\"Production\"}}\n")
    default: break
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
      json.raw("\n")
    }
  }

  private func file(
    _ kind: String, _ part: Int, _ entries: [Entry], ending: String = "ndjson",
    head: String? = nil, _ write: (Entry, inout JSONBytes) -> Void
  ) -> SampleFile {
    let odd = oddLines.filter { $0.kind == kind && self.part(of: $0.day) == part }
    return file(
      kind, on: lastDay(of: part), entries, ending: ending, head: head, odd: odd, write)
  }

  private func file(
    _ kind: String, on day: CivilDay, _ entries: [Entry], ending: String = "ndjson",
    head: String? = nil, odd: [OddLine] = [], _ write: (Entry, inout JSONBytes) -> Void
  ) -> SampleFile {
    var gzip = GzipWriter()
    var json = JSONBytes()
    if let head { json.raw(head + "\n") }
    for entry in entries {
      write(entry, &json)
      guard json.bytes.count >= 1 << 20 else { continue }
      gzip.append(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    for line in odd { json.bytes += line.bytes + [UInt8(ascii: "\n")] }
    gzip.append(json.bytes)
    return SampleFile(name: "\(kind)/\(kind)-\(day.text).\(ending).gz", bytes: gzip.finish())
  }

  /// The last day of an export file, which is in the file's name.
  func lastDay(of part: Int) -> CivilDay {
    Instant(milliseconds: world.start).day
      .advanced(by: Int64((part + 1) * world.days / files - 1))
  }

  /// The number of the export file whose days contain a moment; the first file has the number 0.
  ///
  /// Two files differ by at most one day in their number of days.
  private func part(of moment: Int64) -> Int {
    let day = Int((moment - world.start) / BillingClock.day)
    return min(files - 1, max(0, ((day + 1) * files - 1) / world.days))
  }
}

extension JSONBytes {
  /// Appends a copy of all bytes from a position on.
  fileprivate mutating func repeatFrom(_ start: Int) {
    bytes.append(contentsOf: Array(bytes[start...]))
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
