internal import CivilTime

/// A synthetic store that also has Apple's daily reports of its purchases.
///
/// Its purchases and truth are equal to those of a ``SampleStore`` with equal
/// options, except that customers who never send a receipt are only in Apple's reports. The file
/// `truth-books.csv` has the true causes of differences between the exports and the reports. Equal
/// options give equal bytes.
public struct AppleReportStore: SyntheticStore {
  private let store: SampleStore
  private let files: [ReportFile]
  private let causes: String

  /// A file in `apple/`, such as a Sales report; its bytes are generated when it is exported.
  private struct ReportFile: Sendable {
    enum Content: Sendable {
      case sales([LedgerEvent])
      case subscriber([LedgerEvent])
      case events([LedgerEvent])
      case other(String)
    }
    var name: String
    var content: Content
  }

  /// Simulates all customers of a store, and writes Apple's reports.
  ///
  /// - Parameters:
  ///   - phenomena: The phenomena of the store; `nil` for an ordinary store.
  ///   - missingPerMille: The number of customers per thousand who never send a receipt or a price.
  public init(
    _ options: SampleOptions, _ phenomena: [HardPhenomenon]? = nil,
    faults: [AppleReportFault] = [], missingPerMille: Int = 0
  ) {
    store = SampleStore(options, phenomena) { accounts in
      for index in accounts.indices
      where Self.isMissing(index, options, perMille: missingPerMille) {
        accounts[index].uploads = []
        accounts[index].prices = []
      }
    }
    let first = CivilDay(pacific: options.firstDay.start)
    let days = (0...Int64(options.days)).map { first.advanced(by: $0) }
    var ledger = ReportLedger(store.ledger, days: days, seed: options.seed)
    for fault in AppleReportFault.allCases where faults.contains(fault) { ledger.add(fault) }
    causes = ReconciliationTruth(ledger).csv
    files = Self.files(ledger)
  }

  private static func isMissing(_ index: Int, _ options: SampleOptions, perMille: Int) -> Bool {
    var random = SampleRandom(seed: options.seed, stream: 1 << 44 | UInt64(index))
    return random.happens(perMille: perMille)
  }

  private static func files(_ ledger: ReportLedger) -> [ReportFile] {
    var files: [ReportFile] = []
    for day in ledger.days {
      func add(_ name: String, _ content: ReportFile.Content) {
        files.append(ReportFile(name: "apple/\(name)-\(day.text).txt.gz", content: content))
      }
      if let events = ledger.sales[day] {
        add("sales", .sales(events))
        add("events", .events(events))
      }
      if let events = ledger.subscriber[day] { add("subscriber", .subscriber(events)) }
      if let events = ledger.foreign[day] {
        add("vendor2-sales", .sales(events))
        add("vendor2-subscriber", .subscriber(events))
      }
    }
    for day in ledger.otherFiles {
      for (name, text) in OtherFileTexts.all(on: day) {
        files.append(
          ReportFile(name: "apple/\(name)-\(day.text).txt.gz", content: .other(text)))
      }
    }
    return files
  }

  /// The options of the store to which Apple's reports are added.
  public var options: SampleOptions { store.options }
  /// The truth about all purchases that responses show; purchases only in Apple's reports are
  /// missing.
  public var truth: StoreTruth { store.truth }
  /// The number of export files: the files of the store and the files in `apple/` together.
  public var exportCount: Int { store.exportCount + files.count }

  /// Returns an export file by its number: first the store's own files, then the files in `apple/`.
  public func export(_ number: Int) throws -> SampleFile {
    guard number >= store.exportCount else { return store.export(number) }
    let file = files[number - store.exportCount]
    let text =
      switch file.content {
      case .sales(let events): ReportTexts(events: events).sales
      case .subscriber(let events): ReportTexts(events: events).subscriber
      case .events(let events): ReportTexts(events: events).subscriptionEvents
      case .other(let text): text
      }
    var gzip = GzipWriter()
    gzip.append(Array(text.utf8))
    return SampleFile(name: file.name, bytes: gzip.finish())
  }

  /// The files beside the exports: the store's own files, and the true causes of differences.
  public func accompanyingFiles() -> [SampleFile] {
    store.accompanyingFiles().map { file in
      file.name == "pipeline.yaml" ? SampleFile(name: file.name, bytes: pipeline(file)) : file
    } + [SampleFile(name: "truth-books.csv", bytes: Array(causes.utf8))]
  }

  private func pipeline(_ file: SampleFile) -> [UInt8] {
    let catalogue = "  catalog: catalog.yaml\n"
    let reports = "  apple_reports: [\"apple/*-{date}.txt.gz\"]\n"
    let text = String(decoding: file.bytes, as: UTF8.self)
    return Array(text.replacing(catalogue, with: reports + catalogue).utf8)
  }
}
