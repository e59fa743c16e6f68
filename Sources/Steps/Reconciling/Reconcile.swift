internal import Amounts
internal import AppleReports
internal import CivilTime
internal import PurchaseModel

/// Compares the facts with Apple's reports, and assigns one cause to each unit in the reports and
/// in the facts.
///
/// The result does not depend on the order of the entries or of the lines. Each unit has
/// one cause, so the causes add up to the whole difference. Example: Apple has 3 units of 9.99
/// USD, and the facts have 2. The cause of the third unit is `receipt_missing`.
public func reconcile(_ entries: [ReconciliationEntry], with appleReports: ReconciledReports)
  -> Reconciliation
{
  var result = Reconciliation()
  result.doubts = appleReports.doubts
  let doubted = result.doubts.doubtedPlaces
  var markets: [StorefrontMarket: MarketComparison] = [:]
  for line in appleReports.lines {
    guard let currency = line.line.currency else { continue }
    let market = StorefrontMarket(
      productID: line.productID, storefront: line.line.storefront, currency: currency)
    guard !appleReports.apps.isOther(line.productID) else {
      if appleReports.covers(line.line) {
        result.count(line.line, in: market.cell(line.line.day), .otherProducts)
      }
      result.others.lines += 1
      result.others.products.insert(line.productID)
      continue
    }
    markets[market, default: MarketComparison(market)].add(line, appleReports)
  }
  result.count(unmapped: appleReports)
  var withoutStorefront: [ReconciliationEntry] = []
  var refunds: [Int64: [ReconciliationEntry]] = [:]
  for entry in entries {
    guard let storefront = entry.storefront, let currency = entry.currency else {
      if entry.isRefund {
        refunds[entry.purchaseKey, default: []].append(entry)
      } else {
        withoutStorefront.append(entry)
      }
      continue
    }
    let market = StorefrontMarket(
      productID: entry.productID, storefront: storefront, currency: currency)
    markets[market, default: MarketComparison(market)].add(entry, appleReports)
  }
  for market in markets.keys { markets[market]?.matchEqualPrices() }
  result.moveInferred(in: &markets, appleReports)
  for market in markets.keys { markets[market]?.matchOtherPrices() }
  // Rows with a known amount are first, because they can be matched by price.
  for isKnown in [true, false] {
    let open = withoutStorefront.filter { entry in
      (entry.amount != nil) == isKnown
        && appleReports.compares(entry.day, isSubscription: entry.isSubscription)
    }
    for (entry, place) in StorefrontAssignment(open, in: markets).placed {
      if let place {
        let back = refunds.removeValue(forKey: entry.purchaseKey) ?? []
        markets[place.market]?.addAssigned(entry, at: place.charge, refunds: back, appleReports)
      } else {
        result.addUnmatched(entry, appleReports)
      }
    }
  }
  for refund in refunds.values.joined() { result.addUnmatched(refund, appleReports) }
  for market in markets.keys.sorted() {
    guard var comparison = markets.removeValue(forKey: market) else { continue }
    comparison.finish(appleReports, doubted)
    result.add(comparison)
  }
  result.rows.sort { ($0.purchaseKey, $0.isRefund ? 1 : 0) < ($1.purchaseKey, $1.isRefund ? 1 : 0) }
  return result
}

/// A product in one storefront and currency.
struct StorefrontMarket: Hashable, Comparable {
  var productID: String
  var storefront: Storefront
  var currency: Currency

  static func < (left: StorefrontMarket, right: StorefrontMarket) -> Bool {
    (left.productID, left.storefront.rawValue, left.currency.rawValue)
      < (right.productID, right.storefront.rawValue, right.currency.rawValue)
  }

  func cell(_ day: CivilDay) -> ReconciliationCell {
    ReconciliationCell(
      month: day.monthText, productID: productID, storefront: storefront, currency: currency)
  }
}

extension ReconciliationEntry {
  /// Returns true if this entry precedes another: by day, purchase, charge before refund, and
  /// amount.
  func isBefore(_ other: ReconciliationEntry) -> Bool {
    (day, purchaseKey, isRefund ? 1 : 0, amount?.rawValue ?? -1)
      < (other.day, other.purchaseKey, other.isRefund ? 1 : 0, other.amount?.rawValue ?? -1)
  }

  /// The sum of this single entry: units and amount of the facts; the values of Apple's reports are
  /// 0.
  var sum: ReconciliationSum {
    var sum = ReconciliationSum()
    sum.ourUnits = isRefund ? -quantity : quantity
    sum.ourMilli = (isRefund ? -1 : 1) * (amount?.rawValue ?? 0)
    return sum
  }
}

extension Reconciliation {
  /// Adds a sum to the total of a cell and a cause.
  public mutating func add(
    _ sum: ReconciliationSum, to cell: ReconciliationCell, cause: ReconciliationCause
  ) {
    guard sum != ReconciliationSum() else { return }
    var total = sums[cell]?[cause] ?? ReconciliationSum()
    total.appleUnits += sum.appleUnits
    total.ourUnits += sum.ourUnits
    total.appleMilli += sum.appleMilli
    total.ourMilli += sum.ourMilli
    sums[cell, default: [:]][cause] = total
  }

  /// Adds a line of Apple's reports that is not compared with any row.
  fileprivate mutating func count(
    _ line: AppleReportLine, in cell: ReconciliationCell, _ cause: ReconciliationCause
  ) {
    var sum = ReconciliationSum()
    sum.appleUnits = line.units
    sum.appleMilli = line.amount.rawValue
    guard sum.appleMilli != 0 else { return }
    add(sum, to: cell, cause: cause)
  }

  /// Adds the lines whose Apple ID has no known product.
  ///
  /// Lines of other apps have the cause `other_products`, all other lines `unmapped`.
  fileprivate mutating func count(unmapped appleReports: ReconciledReports) {
    for line in appleReports.unmapped {
      guard let currency = line.currency, let appleID = line.appleID, appleReports.covers(line)
      else {
        continue
      }
      let isOther = line.app.map(appleReports.apps.isOther(app:)) ?? false
      let cell = ReconciliationCell(
        month: line.day.monthText, productID: appleID, storefront: line.storefront,
        currency: currency)
      count(line, in: cell, isOther ? .otherProducts : .unmapped)
      if isOther {
        others.lines += 1
        others.products.insert(appleID)
      } else {
        unknownNumbers[appleID, default: 0] += 1
      }
    }
  }

  /// Adds a row of the facts that matches no charge in Apple's reports.
  fileprivate mutating func addUnmatched(
    _ entry: ReconciliationEntry, _ appleReports: ReconciledReports
  ) {
    guard entry.amount != .zero,
      appleReports.compares(entry.day, isSubscription: entry.isSubscription)
    else {
      return
    }
    let cell = ReconciliationCell(
      month: entry.day.monthText, productID: entry.productID, storefront: entry.storefront,
      currency: entry.currency)
    let cause = entry.causeWithoutMatch(in: appleReports)
    add(entry.sum, to: cell, cause: cause)
    rows.append(
      Row(purchaseKey: entry.purchaseKey, isRefund: entry.isRefund, cell: cell, cause: cause))
  }

  /// Adds the result for one product, storefront and currency.
  fileprivate mutating func add(_ comparison: MarketComparison) {
    for (cell, causes) in comparison.result.sums {
      for (cause, sum) in causes { add(sum, to: cell, cause: cause) }
    }
    rows += comparison.result.rows
  }
}
