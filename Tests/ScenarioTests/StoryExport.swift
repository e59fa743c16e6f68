internal import CivilTime
internal import Foundation
internal import PaidAmounts
internal import PurchaseModel
internal import TestSupport

/// A scenario as the files of a pipeline: gzip exports, a catalogue and the pipeline file.
struct StoryExport {
  /// The name in the scenario of the report on a line of a prices file, keyed by `name:line`.
  private(set) var reportNames: [String: String] = [:]

  /// Writes the files into a folder.
  init(_ story: Story, to folder: TemporaryFolder) throws {
    var receipts: [Int32: [String]] = [:]
    var prices: [Int32: [String]] = [:]
    var signed: [Int32: [String]] = [:]
    /// The lines of decoded transactions and of charges, keyed by the name of their files.
    var charges: [String: [String]] = [:]
    for step in story.timeline {
      switch step {
      case .receipt(let receipt):
        if let tokens = SignedStoryLine(receipt)?.text {
          signed[receipt.file, default: []].append(tokens)
        }
        for row in receipt.latest where row.signed?.isDecoded == true {
          let name = receipt.isTrusted ? "trusted" : "decoded"
          charges[name, default: []].append(SignedStoryLine(decoded: row, in: receipt).text)
          let line = charges[name, default: []].count
          reportNames["\(name).ndjson.gz:\(line)"] = row.id
        }
        if receipt.latest.isEmpty || receipt.latest.contains(where: { $0.signed == nil }) {
          receipts[receipt.file, default: []].append(json(receipt))
        }
      case .report(let report) where report.sender != nil:
        let name = report.sender == .service ? "service" : report.isTrusted ? "ledger" : "charges"
        charges[name, default: []].append(
          report.sender == .service ? service(report) : json(report))
        if let own = report.name {
          reportNames["\(name).ndjson.gz:\(charges[name, default: []].count)"] = own
        }
      case .report(let report):
        prices[report.file, default: []].append(json(report))
        if let name = report.name {
          let line = prices[report.file, default: []].count
          reportNames["prices-\(report.file).ndjson.gz:\(line)"] = name
        }
      }
    }
    // A pipeline needs a receipts file. So a scenario with only price reports gets a response
    // without rows, with a later time than all reports.
    if receipts.isEmpty { receipts[0] = [#"{"received_at":"2026-11-01","response":{"status":0}}"#] }
    for (name, files) in [("receipts", receipts), ("prices", prices), ("signed", signed)] {
      for (number, lines) in files {
        let text = lines.map { $0 + "\n" }.joined()
        try folder.write("in/\(name)-\(number).ndjson.gz", bytes: gzip(text))
      }
    }
    for (name, lines) in charges {
      try folder.write(
        "in/\(name).ndjson.gz", bytes: gzip(lines.map { $0 + "\n" }.joined()))
    }
    try story.books?.write(to: folder)
    try folder.write(
      "catalog.yaml",
      catalogue(story.catalogue, numbers: story.books?.numbers ?? [:])
        + catalogueTimes(story))
    let corrections = story.corrections.map {
      "  - {transaction_id: \"\($0.transaction)\", amount: \"\($0.amount)\", currency: \($0.currency), "
        + "reason: an invoice, given_by: the owner, given_on: 2024-06-01}\n"
    }
    try folder.write("corrections.yaml", "corrections:\n" + corrections.joined())
    try folder.write(
      "pipeline.yaml",
      """
      state: state.db
      warehouse: warehouse.db
      inputs:
        receipts: ["in/receipts-*.ndjson.gz"]
        \(Self.line("prices", Self.priceEntries(prices: !prices.isEmpty, charges)))
        \(Self.line("signed", Self.signedEntries(signed: !signed.isEmpty, charges)))
        \(signed.isEmpty ? "" : "signatures: trust")
        \(story.books == nil ? "" : "apple_reports: [\"apple/*-{date}.txt.gz\"]")
        \(story.hasCatalogue ? "catalog: catalog.yaml" : "")
        \(story.corrections.isEmpty ? "" : "corrections: corrections.yaml")
      renewal_prices: \(story.renewalPrices.rawValue)
      bundle_ids: [\(story.bundles.joined(separator: ", "))]
      # A story of prices in cents shows what the rules do with them; the gate has its own tests.
      gates: {price_unit: warn}
      """)
  }
}

extension StoryExport {
  /// A line of the pipeline; empty without entries.
  private static func line(_ key: String, _ entries: [String]) -> String {
    entries.isEmpty ? "" : "\(key): [\(entries.joined(separator: ", "))]"
  }

  private static func priceEntries(prices: Bool, _ charges: [String: [String]]) -> [String] {
    let known = [
      ("service", "format: revenuecat_webhook"), ("ledger", "price_is: charged, trusted: true"),
      ("charges", "price_is: charged"),
    ]
    let entries = known.filter { charges[$0.0] != nil }.map { name, settings in
      "{files: in/\(name).ndjson.gz, \(settings)}"
    }
    return (prices ? ["\"in/prices-*.ndjson.gz\""] : []) + entries
  }

  private static func signedEntries(signed: Bool, _ charges: [String: [String]]) -> [String] {
    [
      signed ? "\"in/signed-*.ndjson.gz\"" : nil,
      charges["decoded"] == nil ? nil : "in/decoded.ndjson.gz",
      charges["trusted"] == nil ? nil : "{files: in/trusted.ndjson.gz, trusted: true}",
    ].compactMap(\.self)
  }
}

/// A charge as the event of a subscription service.
private func service(_ report: StoryReport) -> String {
  object([
    ("type", text("INITIAL_PURCHASE")), ("store", text("APP_STORE")),
    ("purchased_at_ms", Instant(text: report.time).map { "\($0.milliseconds)" }),
    ("app_user_id", text(report.customer)), ("transaction_id", text(report.transaction)),
    ("product_id", text(report.product)), ("country_code", text(report.storefront)),
    ("currency", text(report.currency)), ("price_in_purchased_currency", report.price),
  ])
}

/// A JSON object of the fields that have a value; a field is a key and its JSON.
private func object(_ fields: [(String, String?)]) -> String {
  let members = fields.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
  return "{" + members.joined(separator: ",") + "}"
}

private func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

private func text(_ value: String?) -> String? { value.map { "\"\($0)\"" } }

private func flag(_ value: Bool?) -> String? { value.map { "\"\($0)\"" } }

/// A date in Apple's format: milliseconds as text, or Pacific time if the scenario has Pacific
/// time.
private func date(_ key: String, _ value: String?) -> (String, String?) {
  guard let value, let instant = Instant(text: value) else { return (key, nil) }
  return value.contains("America")
    ? (key, "\"\(value)\"") : (key + "_ms", "\"\(instant.milliseconds)\"")
}

private func json(_ receipt: StoryReceipt) -> String {
  let snapshot = Instant(text: receipt.snapshot)?.milliseconds ?? 0
  let response = object([
    ("status", "0"), ("environment", receipt.environment.map { "\"\($0)\"" }),
    (
      "receipt",
      object([
        ("bundle_id", text(receipt.bundle)), ("request_date_ms", "\"\(snapshot)\""),
        ("in_app", list(receipt.inApp.map(json))),
      ])
    ),
    (
      "latest_receipt_info",
      receipt.latest.isEmpty
        ? nil : list(receipt.latest.filter { $0.signed == nil }.map(json))
    ),
    (
      "pending_renewal_info",
      receipt.renewals.isEmpty ? nil : list(receipt.renewals.map(json))
    ),
  ])
  return object([
    ("customer_id", text(receipt.customer)), ("storefront", text(receipt.storefront)),
    ("response", response),
  ])
}

private func json(_ row: StoreRow) -> String {
  object([
    ("quantity", "\"\(row.quantity)\""), ("product_id", text(row.product)),
    ("transaction_id", text(row.id)), ("original_transaction_id", text(row.original)),
    ("web_order_line_item_id", text(row.item)), date("purchase_date", row.bought),
    date("original_purchase_date", row.firstBought), date("expires_date", row.until),
    date("cancellation_date", row.cancelled), ("cancellation_reason", text(row.reason)),
    ("is_trial_period", flag(row.trial)), ("is_in_intro_offer_period", flag(row.intro)),
    ("is_upgraded", flag(row.upgraded)), ("promotional_offer_id", text(row.promo)),
    ("offer_code_ref_name", text(row.code)), ("in_app_ownership_type", text(row.ownership)),
    ("subscription_group_identifier", text(row.group)),
  ])
}

private func json(_ renewal: StoreRenewal) -> String {
  func digit(_ value: Bool?) -> String? { value.map { $0 ? "\"1\"" : "\"0\"" } }
  return object([
    ("original_transaction_id", text(renewal.original)), ("product_id", text(renewal.product)),
    ("auto_renew_product_id", text(renewal.next)), ("auto_renew_status", digit(renewal.renews)),
    ("expiration_intent", text(renewal.intent)),
    ("is_in_billing_retry_period", digit(renewal.retrying)),
    date("grace_period_expires_date", renewal.graceUntil),
    ("price_consent_status", text(renewal.consent)),
    ("price_increase_status", text(renewal.increase)),
  ])
}

private func json(_ report: StoryReport) -> String {
  func offer(_ offer: StoreOffer) -> String {
    object([
      ("identifier", text(offer.id)), ("price", text(offer.price)),
      ("payment_mode", text(offer.mode.name)),
      ("number_of_periods", offer.count.map { "\($0)" }),
      ("subscription_period", text(offer.period)),
    ])
  }
  let discounts = report.offers.filter { $0.id != nil }
  return object([
    ("reported_at", text(report.time)), ("customer_id", text(report.customer)),
    ("transaction_id", text(report.transaction)), ("product_id", text(report.product)),
    ("bundle_id", text(report.bundle)), ("storefront", text(report.storefront)),
    ("currency", text(report.currency)),
    ("price", text(report.price)),
    ("introductory_price", report.offers.first { $0.id == nil }.map(offer)),
    ("discounts", discounts.isEmpty ? nil : list(discounts.map(offer))),
    ("applied_discount", text(report.applied)),
  ])
}

/// The catalogue as YAML; JSON's objects are YAML too.
private func catalogue(_ products: [StoryProduct], numbers: [String: String]) -> String {
  let entries = products.map { product in
    object([
      ("product_id", text(product.id)), ("bundle_id", text(product.bundle)),
      ("kind", text(product.kind?.rawValue)), ("apple_id", text(numbers[product.id])),
      ("subscription_group", text(product.group)), ("subscription_period", text(product.period)),
      (
        "price_changes",
        list(
          product.changes.map { change in
            object([
              ("currency", change.currency), ("from", change.from),
              ("existing_subscribers", change.existing.rawValue),
              ("storefront", change.storefront),
            ])
          })
      ),
      (
        "prices",
        list(
          product.prices.map { price in
            object([
              ("currency", price.currency), ("price", text(price.price)), ("from", price.from),
              ("storefront", price.storefront),
              ("first_seen", price.isFetched ? price.from : nil),
            ])
          })
      ),
      (
        "offers",
        list(
          product.offers.map { offer in
            object([
              ("kind", offer.id == nil ? "introductory" : offer.kind.rawValue),
              ("identifier", text(offer.id)), ("storefront", offer.storefront),
              ("first_seen", offer.storefront != nil && offer.isFetched ? "2023-01-01" : nil),
              ("from", offer.days.from), ("to", offer.days.to),
              ("currency", offer.currency), ("price", text(offer.price)),
              ("payment_mode", offer.mode.name),
              ("number_of_periods", offer.count.map { "\($0)" }),
              ("subscription_period", offer.period),
            ])
          })
      ),
    ])
  }
  return "products: " + list(entries.map { $0.replacing("\":", with: "\": ") }) + "\n"
}

/// The parts of the catalogue other than its products.
private func catalogueTimes(_ story: Story) -> String {
  let codes = story.promoCodes.map { codes in
    "  - {product_id: \(codes.product), from: \(codes.from)\(codes.to.map { ", to: \($0)" } ?? "")}\n"
  }
  let rebased = story.rebased.map {
    "  - {currency: \($0.currency), from: \($0.from), factor: \($0.factor)}\n"
  }
  return (codes.isEmpty ? "" : "promo_codes:\n" + codes.joined())
    + (rebased.isEmpty ? "" : "rebased:\n" + rebased.joined())
}

extension Story {
  /// Whether the catalogue has any entry.
  fileprivate var hasCatalogue: Bool {
    !catalogue.isEmpty || !promoCodes.isEmpty || !rebased.isEmpty
  }
}
