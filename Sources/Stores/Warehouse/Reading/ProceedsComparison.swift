internal import AppleReports
internal import CivilTime
internal import GRDB
internal import SQLiteFiles

/// The developer's proceeds and Apple's settlements, beside the facts.
///
/// Refunds are subtracted on their own day, all days are in Pacific time, and products of other
/// apps are left out. A day of the facts counts if a Sales or Subscriber report has it, or Finance
/// Detail has its fiscal month.
struct ProceedsComparison {
  /// One row per calendar month, app and currency of the proceeds.
  ///
  /// Example: in May Apple's reports have proceeds of 8,120.40 USD for `com.example.app`, and the
  /// facts have 8,018.00 USD of these, and 96.00 USD that are only estimated. `unknown_rows` are
  /// charges without either.
  let months: FactSection
  /// One row per month of Apple's fiscal year and currency: what Sales reports say, what Apple
  /// settled, and the facts; first the money of customers, then the proceeds in this currency.
  let fiscalMonths: FactSection

  /// Reads and sums the proceeds.
  init(_ part: ComparedPart, on db: Database) throws {
    var days = ReportedDays(daily: try Self.dailyReports(db))
    let apple = try StoredRow.fetchAll(db, sql: Self.appleLines, arguments: [part.app]).compactMap {
      Movement(apple: $0)
    }
    for settled in apple where settled.isSettled { days.settledMonths.insert(settled.fiscalMonth) }
    let ours = try StoredRow.fetchAll(db, sql: Self.ourMovements, arguments: [part.app]).compactMap
    { Movement(ours: $0) }.filter { days.contains($0) }
    months = Self.months(apple: apple.filter { !$0.isSettled }, ours: ours, part)
    fiscalMonths = Self.fiscalMonths(apple: apple, ours: ours, days, part)
  }

  /// The days and fiscal months that Apple's reports have.
  private struct ReportedDays {
    var daily: Set<CivilDay>
    /// The first days of the fiscal months in Finance Detail.
    var settledMonths: Set<CivilDay> = []

    func contains(_ movement: Movement) -> Bool {
      daily.contains(movement.day) || settledMonths.contains(movement.fiscalMonth)
    }

    /// The number of days of a fiscal month without a Sales or Subscriber report.
    func missing(from first: CivilDay) -> Int64 {
      Int64(FiscalMonth.days(around: first).count { !daily.contains($0) })
    }
  }

  /// Money of one day, app and currency.
  private struct Movement {
    var day: CivilDay
    var app: String
    /// The currency of the customers.
    var currency: String
    var milli: Int64
    /// The currency of ``proceeds``; `nil` if the proceeds are unknown.
    var proceedsCurrency: String?
    var proceeds: Int64
    /// The proceeds that Paidline estimates, because Apple's reports do not have them.
    var estimate: Int64 = 0
    /// The number of charges without known or estimated proceeds.
    var unknownRows: Int64 = 0
    /// The day of Apple's settlement; `nil` for Sales and Subscriber reports and the facts.
    var settledOn: CivilDay?

    /// Reads a row of ``ProceedsComparison/appleLines``.
    init?(apple row: StoredRow) {
      guard let day = CivilDay(text: row[0]) else { return nil }
      self.day = day
      (app, currency, milli) = (row[2], row[3], row[4])
      (proceedsCurrency, proceeds) = (row[5], row[6])
      settledOn = (row[1] as String?).flatMap { CivilDay(text: $0) }
    }

    /// Reads a row of ``ProceedsComparison/ourMovements``.
    init?(ours row: StoredRow) {
      guard let at = Instant(text: row[0]) else { return nil }
      day = CivilDay(pacific: at)
      (app, currency, milli) = (row[1], row[2], row[3])
      (proceedsCurrency, proceeds, estimate, unknownRows) = (row[4], row[5], row[6], row[7])
    }

    var isSettled: Bool { settledOn != nil }

    /// The first day of the fiscal month; of the settlement, if there is one.
    var fiscalMonth: CivilDay {
      let day = settledOn ?? day
      return FiscalMonth.days(around: day).first ?? day
    }
  }

  private struct Place: Hashable, Comparable {
    var period: String
    var app = ""
    var currency: String

    static func < (left: Place, right: Place) -> Bool {
      (left.period, left.app, left.currency) < (right.period, right.app, right.currency)
    }
  }

  private static func months(apple: [Movement], ours: [Movement], _ part: ComparedPart)
    -> FactSection
  {
    var sums: [Place: (apple: Int64, ours: Int64, estimate: Int64, unknown: Int64)] = [:]
    func place(_ movement: Movement) -> Place {
      Place(
        period: movement.day.monthText, app: movement.app,
        currency: movement.proceedsCurrency ?? movement.currency)
    }
    for movement in apple where movement.proceeds != 0 {
      sums[place(movement), default: (0, 0, 0, 0)].apple += movement.proceeds
    }
    for movement in ours {
      var sum = sums[place(movement)] ?? (0, 0, 0, 0)
      sum.ours += movement.proceeds
      sum.estimate += movement.estimate
      sum.unknown += movement.unknownRows
      sums[place(movement)] = sum
    }
    return FactSection(
      "proceeds", title: "Proceeds by month, app and currency",
      columns: [
        "month", "bundle_id", "currency", "apple_milli", "our_milli", "estimated_milli",
        "unknown_rows",
      ],
      rows: sums.filter { (part.month ?? $0.key.period) == $0.key.period }
        .sorted { $0.key < $1.key }.map { place, sum in
          [
            .text(place.period), place.app.isEmpty ? .null : .text(place.app),
            .text(place.currency), .number(sum.apple), .number(sum.ours),
            .number(sum.estimate), .number(sum.unknown),
          ]
        })
  }

  private static func fiscalMonths(
    apple: [Movement], ours: [Movement], _ days: ReportedDays, _ part: ComparedPart
  ) -> FactSection {
    struct Sums {
      var sales: Int64?
      var settled: Int64?
      var ours: Int64?
      var salesProceeds: Int64?
      var settledProceeds: Int64?
      var ourProceeds: Int64?
    }
    var sums: [Place: Sums] = [:]
    func add(
      _ movement: Movement, _ milli: WritableKeyPath<Sums, Int64?>,
      _ proceeds: WritableKeyPath<Sums, Int64?>
    ) {
      let period = movement.fiscalMonth.text
      let paid = Place(period: period, currency: movement.currency)
      let total = sums[paid, default: Sums()][keyPath: milli] ?? 0
      sums[paid, default: Sums()][keyPath: milli] = total + movement.milli
      guard let currency = movement.proceedsCurrency, movement.proceeds != 0 else { return }
      let earned = Place(period: period, currency: currency)
      let former = sums[earned, default: Sums()][keyPath: proceeds] ?? 0
      sums[earned, default: Sums()][keyPath: proceeds] = former + movement.proceeds
    }
    for movement in apple {
      if movement.isSettled {
        add(movement, \.settled, \.settledProceeds)
      } else {
        add(movement, \.sales, \.salesProceeds)
      }
    }
    for movement in ours { add(movement, \.ours, \.ourProceeds) }
    let rows = sums.sorted { $0.key < $1.key }.compactMap { place, sum -> [FactSection.Value]? in
      guard let first = CivilDay(text: place.period),
        let last = FiscalMonth.days(around: first).last,
        part.month.map({ first.monthText <= $0 && $0 <= last.monthText }) ?? true
      else { return nil }
      return [
        .text(first.text), .text(last.text), .number(days.missing(from: first)),
        .text(place.currency), .init(sum.sales), .init(sum.settled), .init(sum.ours),
        .init(sum.salesProceeds), .init(sum.settledProceeds), .init(sum.ourProceeds),
      ]
    }
    return FactSection(
      "fiscal_months", title: "By month of Apple's fiscal year",
      columns: [
        "first_day", "last_day", "days_missing", "currency", "sales_milli", "settled_milli",
        "our_milli", "sales_proceeds_milli", "settled_proceeds_milli", "our_proceeds_milli",
      ], rows: rows)
  }

  private static func dailyReports(_ db: Database) throws -> Set<CivilDay> {
    try Set(
      String.fetchAll(
        db,
        sql: "SELECT report_date FROM audit_apple_report WHERE report IN ('sales', 'subscriber')"
      ).compactMap { CivilDay(text: $0) })
  }

  /// SQL: the lines of Sales, of Subscriber on days without Sales, and of Finance Detail.
  private static let appleLines = """
    WITH app (product_id, bundle_id) AS (
      SELECT product_id,
        CASE WHEN count(DISTINCT NULLIF(bundle_id, '')) = 1 THEN MAX(bundle_id) ELSE '' END
      FROM dim_product GROUP BY product_id
    )
    SELECT l.event_date,
      CASE l.report WHEN 'finance_detail' THEN COALESCE(l.settled_date, l.event_date) END,
      a.bundle_id, l.currency, SUM(l.amount_milli), l.proceeds_currency,
      COALESCE(SUM(l.proceeds_milli * CASE l.units WHEN 0 THEN -1 ELSE l.units END), 0)
    FROM apple_report_line AS l JOIN app AS a ON a.product_id = l.product_id
    WHERE l.currency IS NOT NULL AND (?1 IS NULL OR a.bundle_id = ?1)
      AND CASE l.report
        WHEN 'sales' THEN 1
        WHEN 'finance_detail' THEN 1
        WHEN 'subscriber' THEN l.event_date NOT IN (
          SELECT report_date FROM audit_apple_report WHERE report = 'sales')
        ELSE 0 END
    GROUP BY 1, 2, 3, 4, 6
    """

  /// SQL: charges and refunds of the facts by hour, which never lies in two Pacific days.
  private static let ourMovements = """
    WITH movement (at, purchase_key, milli) AS (
      SELECT purchased_at, purchase_key, paid_milli FROM fct_revenue WHERE paid_milli > 0
      UNION ALL
      SELECT CASE e.entry_key WHEN r.purchase_key & ~3 | 1 THEN r.reversed_at
          ELSE e.entry_date || 'T12:00:00Z' END, e.purchase_key, e.amount_milli
      FROM fct_revenue_entry AS e JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
      WHERE e.entry_kind = 'refund'
    )
    SELECT substr(m.at, 1, 13) || ':00:00Z', COALESCE(r.bundle_id, ''), r.currency, SUM(m.milli),
      r.proceeds_currency,
      COALESCE(SUM(r.proceeds_milli * m.milli / r.paid_milli * (r.proceeds_basis = 'apple_report')), 0),
      COALESCE(SUM(r.proceeds_milli * m.milli / r.paid_milli * (r.proceeds_basis = 'estimate')), 0),
      SUM(m.milli > 0 AND r.proceeds_milli IS NULL)
    FROM movement AS m JOIN fct_revenue AS r ON r.purchase_key = m.purchase_key
    WHERE m.at IS NOT NULL AND r.currency IS NOT NULL AND r.paid_milli > 0
      AND (?1 IS NULL OR r.bundle_id = ?1)
    GROUP BY 1, 2, 3, 5
    """
}
