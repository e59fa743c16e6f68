/// Figures by month, product and storefront, which the page adds up as its filters ask.
///
/// Rows hold whole numbers alone: places in the lists of names first, then figures.
package struct DashboardFigures: Hashable, Sendable {
  /// Money that amounts are told in.
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
  /// The storefronts, the busiest first.
  package var storefronts: [String] = []
  /// The tables by name.
  package var tables: [String: Table] = [:]

  /// No figures.
  init() {}
}
