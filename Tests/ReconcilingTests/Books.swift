import Amounts
import AppleReports
import CivilTime
import PurchaseModel
import Reconciling
import Testing

/// Apple's reports and the facts of a small shop, written as short calls.
struct Books {
  var days: Set<CivilDay> = []
  /// The days of `days` without reports.
  var gaps: Set<CivilDay> = []
  /// Whether only the Subscriber report was read.
  var isSubscriberAlone = false
  /// The Apple IDs of products; products without an entry have none.
  var numbers = ProductNumbers()
  /// The products in the facts and in the catalogue; `nil` for all products.
  var known: Set<String>?
  private var lines: [(String, AppleReportLine)] = []
  private(set) var entries: [ReconciliationEntry] = []

  /// Creates books for some days, all covered by the Subscriber report.
  init(from: String = "2024-05-01", through: String = "2024-05-31") {
    guard let first = CivilDay(text: from), let last = CivilDay(text: through) else { return }
    days = Set(
      (first.daysSinceEpoch...last.daysSinceEpoch).map { CivilDay(daysSinceEpoch: $0) })
  }

  static func day(_ text: String) -> CivilDay {
    CivilDay(text: "2024-\(text)") ?? CivilDay(daysSinceEpoch: 0)
  }

  /// Adds a line of Apple's reports: `apple("05-10", 2, 9990)`.
  mutating func apple(
    _ day: String, _ units: Int64, _ price: Int64, of product: String = "pro",
    in storefront: String = "USA", _ currency: String = "USD", offer: AppleOffer = .none,
    bought: String? = nil, report: AppleReport = .subscriber, app: String? = nil,
    appleID: String? = nil
  ) {
    var line = AppleReportLine(
      line: lines.count + 2, report: report, day: Self.day(day),
      storefront: Storefront(storefront) ?? Storefront(rawValue: 0), units: units,
      amount: Milliunits(units == 0 ? -price : units * price), isRefund: units <= 0)
    line.currency = Currency(currency)
    line.unitPrice = units == 0 ? nil : Milliunits(price)
    line.offer = offer
    line.purchaseDay = bought.map(Self.day)
    line.app = app
    line.appleID = appleID
    if report == .sales { line.isRenewal = false }
    if appleID == nil { line.productID = product }
    lines.append((product, line))
  }

  /// Adds a charge of the facts: `ours("05-10", 9990)`; `nil` for an unknown amount.
  mutating func ours(
    _ day: String, _ amount: Int64?, of product: String = "pro", in storefront: String? = "USA",
    _ currency: String? = "USD", offer: AppleOffer = .none, quantity: Int64 = 1,
    refunded: String? = nil, run: String = "", lateUntil: String? = nil, chargedBy: String? = nil,
    isInferred: Bool = false,
    items: [(day: String, amount: Int64)] = []
  ) {
    var entry = ReconciliationEntry(
      purchaseKey: Int64(entries.count + 1), day: Self.day(day), productID: product,
      storefront: storefront.flatMap { Storefront($0) },
      currency: currency.flatMap { Currency($0) }, amount: amount.map(Milliunits.init))
    entry.offer = offer
    entry.quantity = quantity
    entry.run = run
    entry.isStorefrontInferred = isInferred
    entry.lateUntil = lateUntil.map(Self.day)
    entry.chargedBy = chargedBy.map(Self.day)
    entries.append(entry)
    for item in items {
      var refund = entry
      refund.isRefund = true
      refund.day = Self.day(item.day)
      refund.amount = Milliunits(item.amount)
      refund.quantity = 0
      entries.append(refund)
    }
    guard let refunded else { return }
    entry.isRefund = true
    entry.day = Self.day(refunded)
    entries.append(entry)
  }

  /// The lines of the Sales report that agree with the Subscriber report, for each product of which
  /// the test writes no Sales line itself.
  private var salesOfSubscribers: [AppleReportLine] {
    guard !isSubscriberAlone else { return [] }
    let given = Set(lines.filter { $0.1.report == .sales }.map(\.0))
    return lines.filter { $0.1.report == .subscriber && !given.contains($0.0) }.map { _, line in
      var sale = line
      sale.report = .sales
      sale.isRenewal = false
      return sale
    }
  }

  /// The result of the comparison.
  func result(shuffled: Bool = false) -> Reconciliation {
    let read = days.subtracting(gaps)
    var books = ReconciledReports(
      subscriberDays: read, salesDays: isSubscriberAlone ? [] : read, numbers: numbers)
    for (_, line) in shuffled ? lines.shuffled() : lines { books.add(line) }
    for line in salesOfSubscribers where read.contains(line.day) { books.add(line) }
    if let known { books.addProducts(known) }
    return reconcile(shuffled ? entries.shuffled() : entries, with: books)
  }

  /// The sums as text: `2024-05 pro USA USD equal 2:2 19980:19980`.
  func sums(shuffled: Bool = false) -> [String] {
    result(shuffled: shuffled).sums.sorted { $0.key < $1.key }.flatMap { cell, causes in
      causes.sorted { $0.key < $1.key }.map { cause, sum in
        "\(cell.month) \(cell.productID) \(cell.storefront?.code ?? "-") "
          + "\(cell.currency?.code ?? "-") \(cause.rawValue) \(sum.appleUnits):\(sum.ourUnits) "
          + "\(sum.appleMilli):\(sum.ourMilli)"
      }
    }
  }

  /// Apple's units and money minus those of the facts, computed directly for the compared days.
  var difference: [ReconciliationCell: Int64] {
    var sums: [ReconciliationCell: Int64] = [:]
    for (product, line) in lines where days.subtracting(gaps).contains(line.day) {
      let cell = ReconciliationCell(
        month: line.day.monthText, productID: product, storefront: line.storefront,
        currency: line.currency)
      sums[cell, default: 0] += line.amount.rawValue
    }
    for entry in entries where days.contains(entry.day) {
      let cell = ReconciliationCell(
        month: entry.day.monthText, productID: entry.productID, storefront: entry.storefront,
        currency: entry.currency)
      sums[cell, default: 0] -= (entry.isRefund ? -1 : 1) * (entry.amount?.rawValue ?? 0)
    }
    return sums.filter { $0.value != 0 }
  }
}
