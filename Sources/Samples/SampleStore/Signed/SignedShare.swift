public import CivilTime

/// The customers of a friendly store whose answers are signed transactions, and the first such day.
///
/// Example: `SignedShare(perMille: 300, from: day, keepsReceipts: false)` writes, for three in ten
/// customers, every answer after that day as signed transactions in the place of a receipt.
public struct SignedShare: Hashable, Sendable {
  /// The number of customers in a thousand.
  public var perMille: Int
  /// The first day on which answers are signed.
  ///
  /// Earlier purchases have no signed price, just as Apple's transactions have none for purchases
  /// before October 2023.
  public var firstDay: CivilDay
  /// Whether the receipts are written as well.
  public var keepsReceipts: Bool

  /// Creates the settings from their fields.
  public init(perMille: Int, from firstDay: CivilDay, keepsReceipts: Bool) {
    self.perMille = min(max(0, perMille), 1000)
    self.firstDay = firstDay
    self.keepsReceipts = keepsReceipts
  }

  /// Makes the answers of the chosen customers signed ones.
  func sign(_ customers: inout [SampleCustomer], seed: UInt64) {
    let start = firstDay.start.milliseconds
    for index in customers.indices {
      var random = SampleRandom(seed: seed, stream: 1 << 42 | UInt64(index))
      guard random.happens(perMille: perMille) else { continue }
      sign(&customers[index], from: start)
    }
  }

  private func sign(_ customer: inout SampleCustomer, from start: Int64) {
    var kept = customer.uploads.filter { keepsReceipts || $0.at < start }
    for upload in customer.uploads where upload.at >= start {
      if !keepsReceipts { sendReportAlone(upload.report, of: &customer) }
      // An answer without a purchase gives no transaction.
      guard customer.purchases.contains(where: upload.shows) else { continue }
      var signed = upload
      signed.report = -1
      signed.signedFrom = start
      kept.append(signed)
    }
    customer.uploads = kept
    if !keepsReceipts { forgetTwins(&customer) }
  }

  /// Sends a report of a receipt by itself, dated by a correct clock.
  private func sendReportAlone(_ report: Int, of customer: inout SampleCustomer) {
    guard report >= 0 else { return }
    customer.reports[report].isEmbedded = false
    customer.reports[report].reportedAt = customer.reports[report].shownAt
  }

  /// Phones know a twin id only from the receipt: where no receipt shows it, no report names it.
  private func forgetTwins(_ customer: inout SampleCustomer) {
    for index in customer.purchases.indices {
      let purchase = customer.purchases[index]
      let isInReceipt = customer.uploads.contains {
        $0.signedFrom == nil && $0.showsInApp(purchase)
      }
      if !isInReceipt { customer.purchases[index].inAppID = purchase.id }
    }
  }
}

extension SampleUpload {
  /// Whether the response is signed and has the price of a purchase.
  func signsPrice(of purchase: SamplePurchase) -> Bool {
    guard let signedFrom else { return false }
    return shows(purchase) && purchase.purchasedAt >= signedFrom && !purchase.isFamilyShared
  }
}
