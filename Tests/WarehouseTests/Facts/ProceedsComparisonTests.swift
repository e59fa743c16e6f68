import GRDB
import Testing

@testable import Warehouse

/// Proceeds and settlements of reports written by hand, in a store of two apps.
///
/// Apple's fiscal month goes from March 31 to May 4, 2024; Sales reports of May 1 and 2 were read.
@Suite struct ProceedsComparisonTests {
  private let store: SmallStore

  init() throws {
    store = try SmallStore(asOf: "2024-06-01T00:00:00Z", completeThrough: "2024-05-31")
    try store.add([
      SmallStore.Purchase(chain: "ana", from: "2024-05-01", to: "2024-06-01", paid: 9_990),
      SmallStore.Purchase(chain: "ben", from: "2024-05-02", to: "2024-06-02", paid: 9_990),
      SmallStore.Purchase(chain: "eve", from: "2024-05-06", to: "2024-06-06", paid: 9_990),
    ])
    try store.database.write { db in
      try db.execute(
        sql: """
          UPDATE fct_revenue SET bundle_id = 'com.example.a';
          UPDATE fct_revenue SET proceeds_milli = 6990, proceeds_currency = 'USD',
            proceeds_basis = 'apple_report' WHERE original_transaction_id = 'ana';
          UPDATE fct_revenue SET proceeds_milli = 6000, proceeds_currency = 'USD',
            proceeds_basis = 'estimate' WHERE original_transaction_id = 'ben';
          INSERT INTO dim_product (bundle_id, product_id, product_kind)
            VALUES ('com.example.a', 'monthly', 'unknown'), ('com.example.b', 'coins', 'unknown');
          INSERT INTO audit_apple_report VALUES (1, 'sales', '2024-05-01'), (2, 'sales', '2024-05-02');
          INSERT INTO apple_report_line (source_file_id, source_line, report, event_date, product_id,
            storefront, currency, units, amount_milli, is_refund, proceeds_milli, proceeds_currency,
            settled_date)
          VALUES
            (1, 2, 'sales', '2024-05-01', 'monthly', 'USA', 'USD', 2, 19980, 0, 6990, 'USD', NULL),
            (2, 2, 'sales', '2024-05-02', 'monthly', 'USA', 'USD', -1, -9990, 1, 6990, 'USD', NULL),
            (2, 3, 'sales', '2024-05-02', 'coins', 'USA', 'USD', 1, 990, 0, 840, 'USD', NULL),
            (3, 2, 'finance_detail', '2024-05-01', 'monthly', 'USA', 'USD', 2, 19980, 0, 6990,
              'USD', '2024-05-03'),
            (2, 4, 'sales', '2024-05-02', 'stranger', 'USA', 'USD', 1, 5000, 0, 4000, 'USD', NULL);
          """)
    }
  }

  private func compared(_ part: ComparedPart = ComparedPart()) throws -> ProceedsComparison {
    try store.database.read { try ProceedsComparison(part, on: $0) }
  }

  @Test func `proceeds stand beside Apple's by month and app, refunds taken off`() throws {
    // Apple: 2 × 6.99 − 6.99. The facts: Ana's 6.99, and an estimate of 6.00 for Ben. Eve's day has
    // no report.
    #expect(
      try compared().months.rows == [
        [
          .text("2024-05"), .text("com.example.a"), .text("USD"), .number(6_990), .number(6_990),
          .number(6_000), .number(0),
        ],
        [
          .text("2024-05"), .text("com.example.b"), .text("USD"), .number(840), .number(0),
          .number(0), .number(0),
        ],
      ])
  }

  @Test func `a fiscal month has Sales, the settlement and the facts side by side`() throws {
    // 35 days, two of them with a report. Sales: 19.98 − 9.99 + 0.99 of the other app. Settled:
    // 2 × 9.99. The facts: Ana's and Ben's 9.99.
    #expect(
      try compared().fiscalMonths.rows == [
        [
          .text("2024-03-31"), .text("2024-05-04"), .number(33), .text("USD"), .number(10_980),
          .number(19_980), .number(19_980), .number(7_830), .number(13_980), .number(6_990),
        ]
      ])
  }

  @Test func `one app or one month can be asked for`() throws {
    let coins = try compared(ComparedPart(app: "com.example.b"))
    #expect(coins.months.rows.map { $0[3] } == [.number(840)])
    #expect(coins.fiscalMonths.rows.map { $0[4] } == [.number(990)])
    #expect(try compared(ComparedPart(month: "2024-06")).months.rows.isEmpty)
  }
}
