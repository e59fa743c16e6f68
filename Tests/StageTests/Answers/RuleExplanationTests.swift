internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `paidline explain` for amounts that depend on other customers, storefronts or
/// times.
///
/// Each store is as small as the rule allows; the texts in `Golden` are for human readers.
struct RuleExplanationTests {
  private static let pipeline = """
    state: var/state.db
    warehouse: out/warehouse.db
    inputs: {receipts: ["in/*.ndjson"], catalog: catalog.yaml}
    customer_key_file: customer.key
    """

  /// Runs the sales, and compares the explanation of a transaction with the stored text.
  private func explain(
    _ id: Int, of sales: [Sale], catalogue: String = "products: [{product_id: pro}]\n",
    says part: String, record name: String
  ) throws {
    let shop = try Shop()
    try shop.folder.write("pipeline.yaml", Self.pipeline)
    try shop.folder.write("catalog.yaml", catalogue)
    try shop.folder.write("in/sales.ndjson", sales.map(\.line).joined())
    let run = try shop.run("paidline", "run", "pipeline.yaml")
    try #require(run.status == 0, "\(run.errors)")
    let explained = try shop.run("paidline", "explain", "pipeline.yaml", "\(id)").output
    #expect(explained.contains(part), "\(explained)")
    try Golden.compare(
      explained.replacing("\(shop.folder.path)/", with: ""), with: "explain-rule-\(name)")
  }

  /// Customers 1, 2, 3 and so on, who each buy once and report a price; the first buys on a given
  /// day.
  private func crowd(
    _ ids: ClosedRange<Int>, from day: Int = 1, _ price: String, storefront: String = "USA",
    currency: String = "USD"
  ) -> [Sale] {
    zip(ids, day...).map { id, day in
      Sale(id, day: day, customer: "c-\(id)", storefront, currency, price)
    }
  }

  @Test func `an id that seven Apple accounts share is nobody's`() throws {
    try explain(
      1001, of: (1001...1007).map { Sale($0, day: 3, customer: "guest", "USA", "USD", "9.99") },
      says: "is treated as missing", record: "nobody")
  }

  @Test func `a storefront with a price list of its own has other prices`() throws {
    try explain(
      1011,
      of: crowd(1001...1004, "9.99") + crowd(1005...1008, "4.99", storefront: "ECU")
        + crowd(1021...1024, "9.99") + crowd(1025...1028, "4.99", storefront: "ECU")
        + [Sale(1011, day: 9, customer: "eva", "ECU", "USD", nil)],
      says: "in ECU", record: "storefront-apart")
  }

  @Test func `five others outvote a report`() throws {
    try explain(
      1011,
      of: crowd(1001...1005, "9.99") + [Sale(1011, day: 4, customer: "eve", "USA", "USD", "7.99")],
      says: "5 other voters reported 9.99 USD", record: "outvoted")
  }

  @Test func `other reports of an outvoted report's sender are distrusted`() throws {
    try explain(
      1012,
      of: crowd(1001...1005, "9.99")
        + [
          Sale(1011, day: 4, customer: "eve", "USA", "USD", "7.99"),
          Sale(1012, day: 8, customer: "eve", "USA", "USD", "9.99"),
        ],
      says: "another report of the same sender", record: "distrusted")
  }

  @Test func `one other is too few to make a report exact`() throws {
    try explain(
      1001, of: crowd(1001...1002, "9.99"),
      says: "too few others report the same price, or some report another",
      record: "not-confirmed")
  }

  @Test func `dollars among euros are a mismatch`() throws {
    try explain(
      1011,
      of: crowd(1001...1004, "8.99", storefront: "DEU", currency: "EUR")
        + [Sale(1011, day: 6, customer: "eve", "DEU", "USD", "9.99")],
      says: "other customers in that storefront report another currency",
      record: "currency-mismatch")
  }

  // Ana subscribes in London. A month later her phone is in Germany, and its report has no
  // transaction id. The renewal continues in pounds.
  @Test func `a running subscription stays in its currency`() throws {
    try explain(
      1012,
      of: crowd(1001...1003, "7.99", storefront: "GBR", currency: "GBP")
        + [
          Sale(1011, day: 5, customer: "ana", "GBR", "GBP", "7.99"),
          Sale(1012, day: 36, customer: "ana", "DEU", "EUR", "8.99", of: 1011, isNamed: false),
        ],
      says: "GBR (inferred: the subscription's last", record: "running-subscription")
  }

  // Ben's subscription began in November, but only the row of January is in the exports. 9.99 rose
  // to 12.99 in December, and earlier subscribers kept the old price.
  @Test func `a chain whose first rows were never seen may keep a price from then`() throws {
    try explain(
      1011,
      of: crowd(1001...1003, from: -60, "9.99") + crowd(1004...1006, from: -20, "12.99")
        + [Sale(1011, day: 5, customer: "ben", "USA", "USD", nil, began: -50)],
      catalogue: """
        products:
          - product_id: pro
            price_changes: [{currency: USD, from: 2020-12-01, existing_subscribers: preserved}]

        """,
      says: "they are not in the exports: the chain began", record: "unseen-start")
  }

  // The price is 4.99, from February 5.99, from March 6.99. A subscriber who renews after both
  // rises pays them one after the other.
  @Test func `two rises are walked one after the other`() throws {
    try explain(
      1013,
      of: crowd(1001...1003, "4.99") + crowd(1004...1006, from: 40, "5.99")
        + crowd(1007...1009, from: 70, "6.99")
        + [
          Sale(1011, day: 2, customer: "ben", "USA", "USD", "4.99"),
          Sale(1013, day: 75, customer: "ben", "USA", "USD", nil, of: 1011),
        ],
      catalogue: """
        products:
          - product_id: pro
            price_changes:
              - {currency: USD, from: 2021-02-01, existing_subscribers: moved}
              - {currency: USD, from: 2021-03-01, existing_subscribers: preserved}

        """,
      says: "change of 2021-02-01  5.99 USD, existing subscribers pay the new price too",
      record: "walked")
  }

  // Only this customer reports dollars. Coins cost 1.00 in dollars and in euros. So 45.00 is more
  // than three times the expected price, which follows from their price of 8.99 in euros.
  @Test func `prices in another currency guide if nobody else reports`() throws {
    var sales = crowd(1001...1003, "8.99", storefront: "DEU", currency: "EUR")
    for (number, product) in ["coins", "gems", "pearls"].enumerated() {
      let places = [("DEU", "EUR"), ("DEU", "EUR"), ("USA", "USD"), ("USA", "USD")]
      sales += places.enumerated().map { side, place in
        Sale(
          1100 + 10 * number + side, day: 2, customer: "\(product)-\(side)", place.0, place.1,
          "1.00", product: product)
      }
    }
    try explain(
      1011, of: sales + [Sale(1011, day: 6, customer: "eve", "USA", "USD", "45.00")],
      says: "price in other currencies", record: "guide")
  }
}

/// A record with one purchase of a month, and the price that the app displayed.
private struct Sale {
  let line: String

  /// Creates a purchase on a day, where day 1 is 2021-01-01; without a price there is no report.
  ///
  /// `began` is the first day of the chain, if its first row is not this one.
  init(
    _ id: Int, day: Int, customer: String, _ storefront: String, _ currency: String,
    _ price: String?, product: String = "pro", of original: Int? = nil, began: Int? = nil,
    isNamed: Bool = true
  ) {
    let at = Self.text(day)
    let naming = isNamed ? "\"transaction_id\":\"\(id)\"," : ""
    let report =
      price.map {
        "\"price_report\":{\(naming)\"product_id\":\"\(product)\",\"currency\":\"\(currency)\","
          + "\"price\":\"\($0)\",\"reported_at\":\"\(at)T10:00:05Z\"},"
      } ?? ""
    let chain = original ?? (began == nil ? id : id - 1)
    let expires =
      product == "pro" ? "\"expires_date\":\"\(Self.text(day + 30)) 10:00:00 Etc/GMT\"," : ""
    line =
      "{\"received_at\":\"\(at)T10:00:10Z\",\"customer_id\":\"\(customer)\","
      + "\"storefront\":\"\(storefront)\",\(report)\"response\":{\"status\":0,"
      + "\"environment\":\"Production\",\"receipt\":{\"bundle_id\":\"com.example\",\"in_app\":[]},"
      + "\"latest_receipt_info\":[{\"transaction_id\":\"\(id)\","
      + "\"original_transaction_id\":\"\(chain)\",\"web_order_line_item_id\":\"\(id + 5_000_000)\","
      + "\"product_id\":\"\(product)\",\"purchase_date\":\"\(at) 10:00:00 Etc/GMT\","
      + "\"original_purchase_date\":\"\(Self.text(began ?? day)) 10:00:00 Etc/GMT\",\(expires)"
      + "\"is_trial_period\":\"false\",\"is_in_intro_offer_period\":\"false\",\"quantity\":\"1\"}]}}\n"
  }

  private static func text(_ day: Int) -> String {
    let first = Date(timeIntervalSince1970: 1_609_459_200)
    return first.addingTimeInterval(Double(day - 1) * 86_400)
      .formatted(.iso8601.year().month().day())
  }
}
