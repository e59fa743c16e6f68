internal import CivilTime

/// A friendly store with the daily reports that Apple would have written of it.
///
/// The purchases, and the truth about them, are those of the ``SampleStore`` of equal options,
/// except for customers whose receipts never came: only Apple's books know these. `truth-books.csv`
/// has their sums. Equal options give equal bytes.
public struct BookStore: SyntheticStore {
  private let store: SampleStore
  private let days: [CivilDay]
  private let events: [CivilDay: [LedgerEvent]]
  private let missing: [Planted]

  /// The planted money of one cause, in one currency.
  fileprivate struct Planted: Sendable {
    var cause: String
    var currency: String
    var units: Int64
    var milli: Int64
  }

  /// Lives the lives of all customers, and keeps Apple's books.
  ///
  /// - Parameters:
  ///   - options: The options of the store.
  ///   - missingPerMille: The number of customers in a thousand who never send a receipt or a
  ///     price.
  public init(_ options: SampleOptions, missingPerMille: Int = 0) {
    let store = SampleStore(options) { customers in
      for index in customers.indices {
        var random = SampleRandom(seed: options.seed, stream: 1 << 44 | UInt64(index))
        guard random.happens(perMille: missingPerMille) else { continue }
        customers[index].uploads = []
        customers[index].reports = []
      }
    }
    var events: [CivilDay: [LedgerEvent]] = [:]
    var planted: [String: Planted] = [:]
    for (number, customer) in store.customers.enumerated()
    where !customer.isSandbox && customer.isInTruth && customer.bundle == SampleCustomer.bundle {
      for purchase in customer.purchases where !purchase.isFamilyShared {
        let isShown = customer.uploads.contains { $0.shows(purchase) }
        for event in purchase.ledgerEvents(ofCustomer: number, seed: options.seed) {
          events[event.day, default: []].append(event)
          let cause = isShown ? event.units == 0 ? "proration" : nil : "receipt_missing"
          guard let cause, event.amount != 0 else { continue }
          let code = event.market.currency.code
          planted[cause + code, default: Planted(cause: cause, currency: code, units: 0, milli: 0)]
            .add(event)
        }
      }
    }
    let first = CivilDay(pacific: Instant(milliseconds: store.plan.start))
    days = (0...Int64(options.days)).map { first.advanced(by: $0) }
    self.events = events
    missing = planted.keys.sorted().compactMap { planted[$0] }
    self.store = store
  }

  /// The options of the store.
  public var options: SampleOptions { store.options }
  /// The truth about all purchases that the exports show.
  public var truth: StoreTruth { store.truth }
  /// The number of export files: those of the ``SampleStore``, and three reports a day.
  public var exportCount: Int { store.exportCount + 3 * days.count }

  /// One export file: those of the ``SampleStore``, then the reports, day by day.
  public func export(_ number: Int) -> SampleFile {
    guard number >= store.exportCount else { return store.export(number) }
    let (place, report) = (number - store.exportCount).quotientAndRemainder(dividingBy: 3)
    let day = days[place]
    let texts = ReportTexts(day: day, events: events[day] ?? [])
    let (name, text) =
      switch report {
      case 0: ("sales", texts.sales)
      case 1: ("subscriber", texts.subscriber)
      default: ("events", texts.subscriptionEvents)
      }
    var gzip = GzipWriter()
    gzip.append(Array(text.utf8))
    return SampleFile(name: "apple/\(name)-\(day.text).txt.gz", bytes: gzip.finish())
  }

  /// The files beside the exports: those of the ``SampleStore``, and the truth about the books.
  public func companions() -> [SampleFile] {
    store.companions().map { file in
      file.name == "pipeline.yaml" ? SampleFile(name: file.name, bytes: pipeline(file)) : file
    } + [SampleFile(name: "truth-books.csv", bytes: Array(plantedText.utf8))]
  }

  private var plantedText: String {
    "cause,currency,units,milli\n"
      + missing.map { "\($0.cause),\($0.currency),\($0.units),\($0.milli)\n" }.joined()
  }

  private func pipeline(_ file: SampleFile) -> [UInt8] {
    let catalogue = "  catalog: catalog.yaml\n"
    let reports = "  apple_reports: [\"apple/*-{date}.txt.gz\"]\n"
    let text = String(decoding: file.bytes, as: UTF8.self)
    return Array(text.replacing(catalogue, with: reports + catalogue).utf8)
  }
}

extension BookStore.Planted {
  fileprivate mutating func add(_ event: LedgerEvent) {
    units += event.units
    milli += event.amount
  }
}
