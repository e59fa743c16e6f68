internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport

/// A hard store as its exports show it: line by line, without the generator's types.
struct HardLines {
  let store: SampleStore
  let records: [Record]
  let reports: [Report]
  /// The lines of the files of charges, with the name of their file.
  let charges: [(file: String, line: String)]

  /// A response with its record.
  struct Record {
    var customerID: String?
    var storefront: String?
    var requestedAt: Int64
    var rows: [Row]
    /// `price_consent_status` or `price_increase_status` of the chains that have one.
    var consents: [String]
  }

  /// A row of `latest_receipt_info`.
  struct Row {
    var id: String
    var chain: String
    var product: String
    var purchasedAt: Int64
    var expiresAt: Int64?
    var offer: String?
    var isTrial: Bool
    var isIntro: Bool
  }

  /// A price report with either kind of key names.
  struct Report {
    var customerID: String?
    var transaction: String?
    var product: String
    var storefront: String?
    var currency: String
    var price: Double
    var reportedAt: Int64
    /// The last day of the export that contains the report.
    var exportedAt: Int64
    var text: String
  }

  /// Creates a store with the usual number of days, and reads its exports.
  init(_ phenomena: [HardPhenomenon], customers: Int = 400, seed: UInt64 = 5) throws {
    let store = SampleStore(Self.options(customers: customers, seed: seed), phenomena)
    var records: [Record] = []
    var reports: [Report] = []
    var charges: [(file: String, line: String)] = []
    for number in 0..<store.exportCount {
      let file = store.export(number)
      let day = String(file.name.dropLast(".ndjson.gz".count).suffix(10))
      let end = (CivilDay(text: day)?.advanced(by: 1).start.milliseconds ?? 0)
      for line in String(decoding: gunzip(file.bytes), as: UTF8.self).split(separator: "\n") {
        guard number < store.options.files * 2 else {
          charges.append((file.name, String(line)))
          continue
        }
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        if number < store.options.files {
          let record = try Self.record(value)
          records.append(record)
          if var report = value["price_report"] as? [String: Any] {
            report["customer_id"] = value["customer_id"]
            reports.append(Self.report(report, exportedAt: end, text: String(line)))
          }
        } else {
          reports.append(Self.report(value, exportedAt: end, text: String(line)))
        }
      }
    }
    self.store = store
    self.records = records
    self.reports = reports
    self.charges = charges
  }

  static func options(customers: Int, seed: UInt64) -> SampleOptions {
    SampleOptions(
      customers: customers, seed: seed,
      firstDay: CivilDay(text: SampleStore.usualDays.0) ?? CivilDay(daysSinceEpoch: 0),
      days: SampleStore.usualDays.1, files: 30)
  }

  private static func record(_ value: [String: Any]) throws -> Record {
    var response = value["response"] as? [String: Any] ?? value
    if let text = value["response"] as? String {
      response = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
    let receipt = response["receipt"] as? [String: Any] ?? [:]
    let states = response["pending_renewal_info"] as? [[String: String]] ?? []
    return Record(
      customerID: value["customer_id"] as? String, storefront: value["storefront"] as? String,
      requestedAt: number(receipt["request_date_ms"]) ?? 0,
      rows: (response["latest_receipt_info"] as? [[String: String]] ?? []).map(row),
      consents: states.compactMap { $0["price_consent_status"] ?? $0["price_increase_status"] })
  }

  private static func row(_ value: [String: String]) -> Row {
    Row(
      id: value["transaction_id"] ?? "", chain: value["original_transaction_id"] ?? "",
      product: value["product_id"] ?? "", purchasedAt: number(value["purchase_date_ms"]) ?? 0,
      expiresAt: number(value["expires_date_ms"]), offer: value["promotional_offer_id"],
      isTrial: value["is_trial_period"] == "true",
      isIntro: value["is_in_intro_offer_period"] == "true")
  }

  private static func report(_ value: [String: Any], exportedAt: Int64, text: String) -> Report {
    let locale = value["priceLocale"] as? [String: Any]
    return Report(
      customerID: (value["customer_id"] ?? value["app_user_id"]) as? String,
      transaction: value["transaction_id"] as? String,
      product: (value["product_id"] ?? value["productIdentifier"]) as? String ?? "",
      storefront: (value["storefront"] ?? value["store_country"]) as? String,
      currency: value["currency"] as? String ?? locale?["currencyCode"] as? String ?? "",
      price: (value["price"] as? Double) ?? Double(value["price"] as? String ?? "") ?? -1,
      reportedAt: Instant(text: value["reported_at"] as? String ?? "")?.milliseconds ?? 0,
      exportedAt: exportedAt, text: text)
  }

  private static func number(_ value: Any?) -> Int64? { (value as? String).flatMap { Int64($0) } }
}

extension HardLines {
  /// One day in milliseconds.
  static let day: Int64 = 86_400_000

  /// The rows of each chain, sorted by time; each with its newest response.
  var chains: [[Row]] {
    var rows: [String: [String: (at: Int64, row: Row)]] = [:]
    for record in records {
      for row in record.rows {
        if let known = rows[row.chain]?[row.id], known.at > record.requestedAt { continue }
        rows[row.chain, default: [:]][row.id] = (record.requestedAt, row)
      }
    }
    return rows.values.map { $0.values.map(\.row).sorted { $0.purchasedAt < $1.purchasedAt } }
  }

  /// Reports with a three-letter storefront, keyed by product, storefront and currency.
  var placed: [String: [Report]] {
    Dictionary(
      grouping: reports.filter { $0.storefront?.count == 3 },
      by: { "\($0.product) \($0.storefront ?? "") \($0.currency)" })
  }

  /// The most frequent price of some reports; of equally frequent prices the lowest.
  static func usualPrice(_ reports: [Report]) -> Double {
    let counts = Dictionary(grouping: reports, by: \.price).mapValues(\.count)
    return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? 0
  }
}
