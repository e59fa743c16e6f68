package import Amounts
internal import Diagnostics
internal import PurchaseModel
package import Warehouse

/// Advice on how to make unknown amounts known: the missing evidence, and how to add it.
package struct Advice: Hashable, Sendable {
  /// The missing evidence and the amounts that need it: `412 rows, up to 4115.88 USD: …`.
  package var finding: String
  /// The action for the owner: add a line to a file, run a command, or change the exports.
  package var line: String

  /// The largest number of advice entries to show.
  package static let shown = 5

  /// Returns the advice for all rows without an amount.
  ///
  /// The advice is in this order:
  /// 1. to fetch App Store Connect's price list, if the pipeline does not fetch it and prices are
  ///    missing, because most other advice requires these prices,
  /// 2. the missing evidence, the largest sum of money first,
  /// 3. to add ids to price reports, if more than a fifth of them have neither a customer id nor a
  ///    transaction id.
  ///
  /// - Parameter pipeline: The path of the pipeline file, for commands.
  /// - Returns: The advice in that order; empty if no evidence is missing.
  package static func all(_ missing: MissingEvidence, fetchesPrices: Bool, pipeline: String)
    -> [Advice]
  {
    var advice = missing.groups.map { Advice($0, in: missing, pipeline: pipeline) }
    if let list = fetchesPrices ? nil : priceList(missing) { advice.insert(list, at: 0) }
    if let loose = reportsWithoutIDs(missing) { advice.append(loose) }
    return advice
  }

  /// Returns at most ``shown`` entries of the advice, as numbered lines under a heading.
  ///
  /// Empty if there is no advice.
  package static func lines(_ missing: MissingEvidence, fetchesPrices: Bool, pipeline: String)
    -> [String]
  {
    let all = all(missing, fetchesPrices: fetchesPrices, pipeline: pipeline)
    guard !all.isEmpty else { return [] }
    var lines = ["What would make unknown amounts known, the most money first:"]
    for (number, advice) in all.prefix(shown).enumerated() {
      lines += ["\(number + 1). \(advice.finding)", "   \(advice.line)"]
    }
    if all.count > shown { lines.append("and \(all.count - shown) more") }
    return lines
  }

  private init(finding: String, line: String) {
    self.finding = finding
    self.line = line
  }

  private init(_ group: MissingEvidence.Group, in missing: MissingEvidence, pipeline: String) {
    let amount = Self.amount(group.rows, group.open, group.unboundedRows, missing)
    let share = Share.percent(group.rows, missing.rows)
    let product = OneLine.text(group.productID ?? "?")
    let series = group.currency.map { "\(product) in \($0.code)" } ?? product
    func command(_ list: CatalogueLine.List, _ members: [(String, String?)]) -> String {
      CatalogueLine(
        productID: group.productID ?? "", bundleID: group.bundleID, list: list,
        members: members.map { CatalogueLine.Member($0, $1) }
      ).command(pipeline: pipeline)
    }
    let currency = group.currency?.code
    let (what, line): (String, String) =
      switch group.cause {
      case .customer:
        (
          "\(share) of the rows without an amount lack a country and a customer",
          "write customer_id and storefront into each receipt record, and customer_id into price reports"
        )
      case .country:
        (
          "\(share) of the rows without an amount lack a country",
          "write storefront into each receipt record, or let the app send it in price reports; for "
            + "reports of one country, set values: {storefront: USA} in their entry of inputs.prices"
        )
      case .priceChange:
        (
          "the price of \(series) rose, and nothing shows whether subscribers kept the old price",
          command(
            .priceChanges,
            [
              ("currency", currency), ("from", group.day),
              ("existing_subscribers", ExistingSubscribers.preserved.rawValue),
            ]) + "   # or moved; the true day, if the price changed before this one"
        )
      case .unmarkedOffer:
        (
          "the service states another amount for renewals of \(series) than for first rows; it "
            + "does not mark introductory prices, and no list price tells them from a rise",
          command(.prices, [("currency", currency), ("price", nil), ("from", group.firstDay)])
            + "   # the list price of then, without the offer; for a rise, also one of its day"
        )
      case .earlierRows:
        (
          "the exports lack the first rows of these subscriptions to \(series)",
          "export the earlier receipts of these subscriptions, or fetch their history: "
            + "paidline-fetch"
        )
      case .offer:
        (
          "no source has a price of the offer \(OneLine.text(group.offerID ?? "?")) of \(series)",
          command(
            .offers,
            [
              ("identifier", group.offerID), ("kind", group.offerKind), ("currency", currency),
              ("price", nil), ("payment_mode", nil),
            ])
        )
      case .introduction:
        (
          "no source has a price of the introductory offer of \(series)",
          "let the app send introductory_price in price reports"
        )
      case .price:
        (
          "no source has a price of \(series) for the time of these rows",
          command(.prices, [("currency", currency), ("price", nil), ("from", group.firstDay)])
        )
      }
    self.init(finding: "\(amount): \(what)", line: line)
  }

  /// Returns the advice to fetch App Store Connect's price list; `nil` if no price is missing.
  private static func priceList(_ missing: MissingEvidence) -> Advice? {
    let groups = missing.groups.filter { $0.cause != .customer && $0.cause != .country }
    guard !groups.isEmpty else { return nil }
    let open = groups.compactMap(\.open?.rawValue)
    let amount = amount(
      groups.reduce(0) { $0 + $1.rows },
      open.isEmpty ? nil : Micros(open.reduce(0, &+)),
      groups.reduce(0) { $0 + $1.unboundedRows }, missing)
    return Advice(
      finding: "\(amount): App Store Connect knows the prices of every storefront and offer",
      line:
        "paidline-fetch prices   # after fetch.prices in the pipeline, "
        + "\(DocsPage.fetching.rawValue)"
    )
  }

  /// Returns the advice about price reports with neither a customer id nor a transaction id.
  ///
  /// `nil` if at most a fifth of the reports lack both ids, or if no row lacks an amount.
  private static func reportsWithoutIDs(_ missing: MissingEvidence) -> Advice? {
    let (loose, all) = missing.reports
    guard loose * 5 > all, missing.rows > 0 else { return nil }
    return Advice(
      finding:
        "\(Share.percent(loose, all)) of the price reports have neither customer_id nor transaction_id",
      line: "let the app send customer_id and transaction_id in price reports")
  }

  private static func amount(
    _ rows: Int64, _ open: Micros?, _ unbounded: Int64, _ missing: MissingEvidence
  ) -> String {
    let count = Count.text(Int(rows), "row")
    guard let open, let currency = missing.reporting else { return count }
    let limit = "\(Money.whole(open, currency)) \(currency.code)"
    let more = unbounded > 0 ? ", and \(unbounded) without an upper bound" : ""
    return "\(count), up to \(limit)\(more)"
  }

}

/// Formats amounts in the reporting currency for messages.
package enum Money {
  /// Formats an amount, rounded to the smallest unit of the currency: `5402.17`.
  package static func whole(_ amount: Micros, _ currency: Currency) -> String {
    let unit: Int64 = [1000, 100, 10, 1][min(max(currency.decimals, 0), 3)]
    let whole = (try? amount.share(1, of: unit * 1000))?.rawValue ?? 0
    return Milliunits(whole * unit).text(decimals: currency.decimals)
  }
}
