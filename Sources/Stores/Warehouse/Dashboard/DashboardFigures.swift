/// Figures by month, product and storefront, which the page adds up as its filters ask.
///
/// Rows hold only whole numbers: places in the lists of names first, then figures.
package struct DashboardFigures: Hashable, Sendable {
  /// The currency of displayed amounts.
  package struct Unit: Hashable, Sendable {
    /// ISO 4217.
    package var code: String
    /// The decimals that people expect of it.
    package var decimals: Int
    /// Whether amounts of all currencies are converted to it.
    package var isConverted: Bool
  }

  /// A table: figures under the names of their columns, row after row.
  package struct Table: Hashable, Sendable {
    /// Names of the columns.
    package var columns: [String]
    /// The rows, each as long as ``columns``.
    package var rows: [[Int64]] = []

    /// An empty table.
    init(columns: [String]) { self.columns = columns }
  }

  /// The units, the one that is shown first before the others; empty where no amount is known.
  package var units: [Unit] = []
  /// The months in order, `2021-08`.
  package var months: [String] = []
  /// The number of ``months`` that the exports cover completely.
  package var completeMonths = 0
  /// The number of ``months`` that were over at as-of.
  package var overMonths = 0
  /// The first day that is shown day by day; empty where none is.
  package var firstDay = ""
  /// The number of days from it that are shown.
  package var dayCount = 0
  /// The number of these days that the exports cover, or that are over in exports without days.
  package var completeDays = 0
  /// The products, the busiest first.
  package var products: [String] = []
  /// The apps by bundle id, the busiest first; empty where only one sells.
  package var apps: [String] = []
  /// For each of ``products`` the place of its app in ``apps``; -1 for several apps or an unknown
  /// app.
  package var appsOfProducts: [Int64] = []
  /// The storefronts, the busiest first.
  package var storefronts: [String] = []
  /// The months in which the facts were compared with Apple's reports, `2021-08`, in Pacific time.
  package var comparedMonths: [String] = []
  /// The causes of differences: `equal`, then the others, the largest difference first.
  package var causes: [String] = []
  /// The tables by name.
  package var tables: [String: Table] = [:]

  /// No figures.
  init() {}

  /// Adds the comparison with Apple's reports: for each month and cause the difference, and for
  /// `equal` the equal money, in hundredths of a percent of Apple's money.
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
