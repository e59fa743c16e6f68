internal import SQLiteFiles
public import CivilTime
internal import GRDB
internal import PaidAmounts
internal import Purchases

/// The numbers of rows of facts that gates check, and from which `audit_run` is computed.
///
/// One query counts them: over the written facts before they are published, or, on a cluster, over
/// the rows of each task.
public struct FactSums: Hashable, Sendable {
  /// The name of a number, with the product and the currency of the counted rows.
  public struct Key: Hashable, Sendable {
    /// A `price_status`, where every free row counts as `zero_by_rule`, the `reason` of an
    /// exclusion, or a name in the query.
    public var name: String
    /// The product id of the rows; `nil` if rows of all products are counted together.
    public var productID: String?
    /// The currency of the rows; `nil` if unknown, or if all currencies are counted together.
    public var currency: String?

    /// Creates the name of a number.
    public init(_ name: String, productID: String? = nil, currency: String? = nil) {
      self.name = name
      self.productID = productID
      self.currency = currency
    }
  }

  /// The name for the chargeable rows without an amount, counted by product and currency.
  public static let missing = "missing"
  /// The name for the amounts above 0 that lack an amount in the reporting currency, counted by
  /// currency.
  public static let unconverted = "unconverted"
  /// The name for 1 if any revenue row has a customer.
  private static let customers = "customers"
  /// The name for a number above 0 if there is any price report.
  public static let reports = "reports"

  /// The name for the subscriptions whose end nobody has seen, counted by the currency of their
  /// last period.
  public static let notSeen = "not_seen"
  /// The name for what these subscriptions paid for their last period, in milliunits, by currency.
  public static let notSeenPaid = "not_seen_paid"
  /// The name for the subscriptions that run, or that Apple tries to renew.
  public static let running = "running"

  /// The query, with the parameter whether to count ``unconverted``.
  ///
  /// It reads indexes, the rows without an amount, and the subscriptions. Only ``unconverted``
  /// reads all rows.
  static let sql = """
    SELECT CASE WHEN paid_milli = 0 THEN 'zero_by_rule' ELSE price_status END, NULL, NULL, count(1)
    FROM fct_revenue GROUP BY price_status, paid_milli = 0
    UNION ALL
    SELECT reason, NULL, NULL, count(1) FROM excluded_purchase GROUP BY reason
    UNION ALL
    SELECT '\(missing)', product_id, currency, count(1) FROM fct_revenue
    WHERE price_status IN ('unresolved', 'conflict') GROUP BY product_id, currency
    UNION ALL
    SELECT '\(unconverted)', NULL, currency, count(1) FROM fct_revenue
    WHERE ?1 AND paid_milli > 0 AND paid_reporting_micros IS NULL GROUP BY currency
    UNION ALL
    SELECT '\(customers)', NULL, NULL, 1
    WHERE EXISTS (SELECT 1 FROM fct_revenue WHERE customer_key IS NOT NULL)
    UNION ALL
    SELECT '\(notSeen)', NULL, currency, count(1) FROM dim_subscription
    WHERE status = 'not_seen' GROUP BY currency
    UNION ALL
    SELECT '\(notSeenPaid)', NULL, currency, COALESCE(SUM(paid_milli), 0) FROM dim_subscription
    WHERE status = 'not_seen' GROUP BY currency
    UNION ALL
    SELECT '\(running)', NULL, NULL, count(1) FROM dim_subscription
    WHERE status NOT IN ('not_seen', 'expired', 'revoked')
    UNION ALL
    SELECT '\(reports)', NULL, NULL, 1 WHERE EXISTS (SELECT 1 FROM price_evidence)
    """

  /// All numbers.
  public private(set) var counts: [Key: Int] = [:]
  /// The day of the first purchase; `nil` without a revenue row.
  public private(set) var firstDay: CivilDay?

  /// Creates sums of zeros.
  public init() {}

  /// Counts the rows of a database with the tables of the warehouse.
  init(countsUnconverted: Bool, on db: Database) throws {
    let rows = try RawStatement("count facts", Self.sql, on: db)
    rows.bind(countsUnconverted, at: 1)
    while try rows.next() {
      add(
        Int(rows.int64(3)),
        to: Key(rows.text(0), productID: rows.optionalText(1), currency: rows.optionalText(2)))
    }
    firstDay = try String.fetchOne(db, sql: "SELECT MIN(purchased_date) FROM fct_revenue")
      .flatMap { CivilDay(text: $0) }
  }

  /// Adds rows to a number.
  public mutating func add(_ count: Int, to key: Key) { counts[key, default: 0] += count }

  /// Adds the sums over other rows, except for ``firstDay``.
  public mutating func add(_ other: FactSums) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The number with a name, over all products and currencies.
  public subscript(name: String) -> Int {
    counts.reduce(0) { $0 + ($1.key.name == name ? $1.value : 0) }
  }

  /// The numbers with a name, by product and currency.
  public func counts(named name: String) -> [Key: Int] { counts.filter { $0.key.name == name } }

  /// The number of revenue rows.
  public var revenue: Int { PriceStatus.allCases.reduce(0) { $0 + self[$1.rawValue] } }
  /// The number of purchases, including excluded purchases.
  public var purchases: Int {
    ExclusionReason.allCases.reduce(revenue) { $0 + self[$1.rawValue] }
  }
  /// The number of chargeable rows: revenue rows that are not free by rule.
  public var chargeable: Int { revenue - self[PriceStatus.zeroByRule.rawValue] }
  /// The number of chargeable rows without an amount.
  public var unknown: Int { self[Self.missing] }
  /// Whether any revenue row has a customer.
  public var namesCustomer: Bool { self[Self.customers] > 0 }
  /// Whether there is any price report.
  public var hasReports: Bool { self[Self.reports] > 0 }
  /// The share of chargeable rows with an amount, in hundredths of a percent: `price_coverage_bp`.
  public var coverage: Int? { share(chargeable - unknown) }
  /// The share of chargeable rows with an exact amount, in hundredths of a percent: `exact_bp`.
  public var exact: Int? { share(self[PriceStatus.exact.rawValue]) }

  private func share(_ rows: Int) -> Int? { chargeable > 0 ? 10_000 * rows / chargeable : nil }
}
