/// Figures by month, product and storefront, which the page sums according to its filters.
///
/// Rows have only whole numbers: first positions in the lists of names, then figures.
package struct DashboardFigures: Hashable, Sendable {
  /// The currency of displayed amounts.
  package struct Unit: Hashable, Sendable {
    /// The ISO 4217 code of the currency.
    package var code: String
    /// The number of decimals to display.
    package var decimals: Int
    /// Whether amounts of all currencies are converted to it.
    package var isConverted: Bool
  }

  /// A table of figures with named columns.
  package struct Table: Hashable, Sendable {
    package var columns: [String]
    /// The rows, each as long as ``columns``.
    package var rows: [[Int64]] = []

    /// Creates an empty table.
    init(columns: [String]) { self.columns = columns }
  }

  /// The units, the default one first; empty if no amount is known.
  package var units: [Unit] = []
  /// The months in ascending order, such as `2021-08`.
  package var months: [String] = []
  /// The number of ``months`` that the exports cover completely.
  package var completeMonths = 0
  /// The number of ``months`` that had ended at the as-of time.
  package var overMonths = 0
  /// The first displayed day; empty if there is none.
  package var firstDay = ""
  /// The number of displayed days from ``firstDay`` on.
  package var dayCount = 0
  /// The number of these days that the exports cover, or that have ended if exports have no days.
  package var completeDays = 0
  /// The products, the most frequent first.
  package var products: [String] = []
  /// The apps by bundle id, the most frequent first; empty if only one app sells.
  package var apps: [String] = []
  /// The position in ``apps`` of each product's app; -1 for several apps or an unknown app.
  package var appsOfProducts: [Int64] = []
  /// The storefronts, the most frequent first.
  package var storefronts: [String] = []
  /// The months compared with Apple's reports, such as `2021-08`, in Pacific time.
  package var comparedMonths: [String] = []
  /// The causes of differences: `equal`, then the others by size of the difference.
  package var causes: [String] = []
  /// The tables, keyed by name.
  package var tables: [String: Table] = [:]

  init() {}

  /// Adds the comparison with Apple's reports: per month and cause the difference, and for `equal`
  /// the equal money, in hundredths of a percent of Apple's money.
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
