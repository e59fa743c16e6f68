public import CivilTime

/// The settings of signed responses: for how many customers, and from which day on.
///
/// Example: `SignedShare(perMille: 300, from: day, keepsReceipts: false)` → three customers in ten
/// have signed transactions instead of receipts from that day on.
public struct SignedShare: Hashable, Sendable {
  /// The number of customers per thousand whose responses are signed.
  public var perMille: Int
  /// The first day on which responses are signed.
  ///
  /// Purchases before this day have no signed price, just as Apple's transactions before October
  /// 2023 have no price.
  public var firstDay: CivilDay
  /// Whether receipts are written in addition to the signed transactions.
  public var keepsReceipts: Bool

  /// Creates the settings; `perMille` is limited to 0 through 1000.
  public init(perMille: Int, from firstDay: CivilDay, keepsReceipts: Bool) {
    self.perMille = min(max(0, perMille), 1000)
    self.firstDay = firstDay
    self.keepsReceipts = keepsReceipts
  }

  /// Adds signed responses from ``firstDay`` on for some customers, chosen at random.
  ///
  /// If ``keepsReceipts`` is false, the signed responses replace the receipts of these days.
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
      // A response without a purchase gives no transaction.
      guard customer.purchases.contains(where: upload.shows) else { continue }
      var signed = upload
      signed.report = -1
      signed.signedFrom = start
      kept.append(signed)
    }
    customer.uploads = kept
    if !keepsReceipts { removeUnshownAliases(&customer) }
  }

  /// Makes a report separate from its receipt record, with ``SampleReport/shownAt`` as
  /// `reported_at`.
  private func sendReportAlone(_ report: Int, of customer: inout SampleCustomer) {
    guard report >= 0 else { return }
    customer.reports[report].isEmbedded = false
    customer.reports[report].reportedAt = customer.reports[report].shownAt
  }

  /// Replaces the alias id of each purchase that no receipt shows, by the purchase's usual id.
  ///
  /// Phones get alias ids only from receipts.
  private func removeUnshownAliases(_ customer: inout SampleCustomer) {
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
