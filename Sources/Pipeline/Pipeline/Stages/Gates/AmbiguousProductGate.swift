internal import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// The gate `ambiguous_product`: several apps sell a product id, and price reports lack their app.
///
/// Apple's product ids are unique only within one app. Example: two apps sell `pro`, and 12 phones
/// report a price of `pro`. The reports have neither `bundle_id` nor a known purchase, and their
/// customers have not bought `pro`.
struct AmbiguousProductGate {
  /// Returns a finding with all ambiguous ids; `nil` if there are none.
  func finding(_ facts: borrowing Reconstruction) -> GateFinding? {
    let shared = Set(facts.tally.bought.filter { $0.app != nil }.map(\.symbol))
    guard !shared.isEmpty else { return nil }
    let reported = facts.units.all.products.sorted { $0.key < $1.key }
      .filter { $0.key.app == nil && shared.contains($0.key.symbol) }
    return finding(reported.map { ($0.key, $0.value.reports) }, facts.observations.symbols)
  }

  /// Returns a finding with the given ambiguous ids, each with its number of reports.
  ///
  /// `nil` if the list is empty.
  func finding(_ reported: [(ProductID, Int)], _ symbols: SymbolTable) -> GateFinding? {
    guard let first = reported.first else { return nil }
    let items = reported.map { product, reports in
      GateFinding.Item(
        subject: symbols.text(product.symbol),
        found: "\(Count.text(reports, "price report")) of unknown app",
        expected: "reports that name their app")
    }
    let name = OneLine.text(symbols.text(first.0.symbol))
    let others = items.count > 1 ? " and \(Count.text(items.count - 1, "more product"))" : ""
    let count = reported.reduce(0) { $0 + $1.1 }
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
