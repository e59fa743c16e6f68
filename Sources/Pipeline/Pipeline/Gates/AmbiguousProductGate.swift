internal import Diagnostics

/// The gate `ambiguous_product`: several apps sell a product id, and price reports lack their app.
///
/// Apple's product ids are unique only within one app. Example: two apps sell `pro`, and 12 phones
/// report a price of `pro`. The reports have neither `bundle_id` nor a known purchase, and their
/// customers have not bought `pro`.
struct AmbiguousProductGate {
  /// Returns a finding with the ambiguous ids; `nil` if there are none.
  ///
  /// - Parameter ambiguous: The number of reports without an app, for each product id that several
  ///   apps sell.
  func finding(_ ambiguous: [String: Int]) -> GateFinding? {
    let reported = ambiguous.sorted { $0.key < $1.key }
    guard let first = reported.first else { return nil }
    let items = reported.map { product, reports in
      GateFinding.Item(
        subject: product,
        found: "\(Count.text(reports, "price report")) of unknown app",
        expected: "reports that name their app")
    }
    let name = OneLine.text(first.key)
    let others = items.count > 1 ? " and \(Count.text(items.count - 1, "more product"))" : ""
    let count = reported.reduce(0) { $0 + $1.value }
    var finding = GateFinding(
      .ambiguousProduct, items,
      message: """
        several apps sell \(name)\(others), and nothing shows the app of \
        \(Count.text(count, "price report")), so these reports decide no amount. Add bundle_id to \
        the reports, or name the app of a whole file: values: {bundle_id: com.example.app}.
        """, fault: "ambiguous_product")
    finding.duration = .standing
    finding.page = .inputs
    return finding
  }
}
