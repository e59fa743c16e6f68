/// Figures by month, product and storefront, which the page's script sums for the selected filters.
///
/// Every row of a table consists of whole numbers: first positions in the lists of names (months,
/// products, storefronts), then figures. Example: `[3, 0, 1, …]` is the fourth month, the first
/// product and the second storefront.
package struct DashboardFigures: Hashable, Sendable {
  /// A currency in which the page can display amounts.
  package struct Unit: Hashable, Sendable {
    /// The ISO 4217 code of the currency.
    package var code: String
    /// The number of decimals to display.
    package var decimals: Int
    /// Whether amounts of all currencies are converted to this currency.
    ///
    /// Otherwise the page displays only the amounts in this currency.
    package var isConverted: Bool
  }

  /// A table of figures with named columns.
  package struct Table: Hashable, Sendable {
    package var columns: [String]
    /// The rows; each has a number for every column.
    package var rows: [[Int64]] = []
  }

  /// The currencies in which the page can display amounts, the default first.
  ///
  /// Empty if no amount is known.
  package var units: [Unit] = []
  /// The months in ascending order, such as `2021-08`.
  package var months: [String] = []
  /// The number of months at the start of ``months`` through the last complete month.
  package var completeMonths = 0
  /// The positions of earlier months that are not complete: nobody has seen how some ended.
  package var openMonths: [Int] = []
  /// The number of months at the start of ``months`` that had ended at the as-of time.
  package var overMonths = 0
  /// The first day that the page can display; empty if there is none.
  package var firstDay = ""
  /// The number of days that the page can display, from ``firstDay`` on.
  package var dayCount = 0
  /// The number of displayed days, from ``firstDay`` on, that the exports cover.
  ///
  /// Without dated exports, it is the number of displayed days that had ended at the as-of time.
  package var completeDays = 0
  /// The names of the products, the product with the most purchases first.
  ///
  /// If not all products are displayed, the last entry is `others`, which sums the rest.
  package var products: [String] = []
  /// The bundle ids of the apps, the app with the most purchases first.
  ///
  /// Empty unless there are purchases of at least two apps.
  package var apps: [String] = []
  /// For each of ``products``, the position of its app in ``apps``; empty if ``apps`` is empty.
  ///
  /// The position is -1 if the app is unknown, and for the entry `others`.
  package var appsOfProducts: [Int64] = []
  /// The names of the storefronts, the storefront with the most purchases first.
  ///
  /// If not all storefronts are displayed, the last entry is `others`, which sums the rest.
  package var storefronts: [String] = []
  /// The months compared with Apple's reports, such as `2021-08`, in Pacific time.
  package var comparedMonths: [String] = []
  /// The causes in the table `compared`: `equal`, then the causes of differences.
  ///
  /// The cause with the largest difference is first among the latter.
  package var causes: [String] = []
  /// The tables, keyed by name, such as `money` and `counts`.
  package var tables: [String: Table] = [:]

  init() {}

  /// Adds the tables of another part, and its months and causes of a comparison.
  mutating func add(_ part: DashboardFigures) {
    tables.merge(part.tables) { first, _ in first }
    if !part.causes.isEmpty { (comparedMonths, causes) = (part.comparedMonths, part.causes) }
  }

  /// Adds the comparison with Apple's reports.
  ///
  /// The table `compared` gets a row per month and cause. The row of `equal` has the money in
  /// Apple's reports for which the facts have equal amounts; other rows have the difference that
  /// their cause explains. The unit is a hundredth of a percent of the money in Apple's reports, or
  /// of the facts' money if Apple's reports have no money.
  mutating func add(_ money: ComparedMoney) {
    comparedMonths = money.months.keys.sorted()
    let total = money.total.differenceShares
    causes =
      ["equal"]
      + total.keys.sorted { (total[$1]?.magnitude ?? 0, $0) < (total[$0]?.magnitude ?? 0, $1) }
    var table = Table(columns: ["month", "cause", "part"])
    for (month, name) in comparedMonths.enumerated() {
      let shares = money.months[name]?.differenceShares ?? [:]
      for (cause, word) in causes.enumerated() {
        let share = cause == 0 ? money.months[name]?.equalShare : shares[word]
        if let share { table.rows.append([Int64(month), Int64(cause), share]) }
      }
    }
    tables["compared"] = table
  }
}
