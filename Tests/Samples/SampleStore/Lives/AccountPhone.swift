internal import CivilTime

/// Simulates the reports of the device, and the uploads of receipts to the server.
extension AccountLife {
  /// Adds the records that a purchase in the app causes: usually a price report and a receipt.
  ///
  /// Each of the two may be missing, at random. `appliedOffer` is the promotional offer of the
  /// purchase; empty for none.
  mutating func buysInApp(_ row: Int, appliedOffer: String = "") {
    let purchase = account.purchases[row]
    guard purchase.purchasedAt < world.end, purchase.purchasedAt >= world.start else { return }
    let sends = random.happens(perMille: world.reporting.receipts)
    let reports = account.reports && random.happens(perMille: world.reporting.purchases)
    if reports {
      var report = report(of: purchase.product, at: purchase.purchasedAt)
      report.reportedAt += Int64(random.within(-60...300)) * 1000
      report.arrivedAt = report.shownAt + Int64(random.within(1...7_200)) * 1000
      if random.happens(perMille: world.reporting.namesPurchase) { report.purchase = row }
      report.usesAlias = random.happens(perMille: 300)
      report.appliedDiscount = appliedOffer
      report.hasDiscounts = !appliedOffer.isEmpty || random.happens(perMille: 800)
      report.isEmbedded = sends && random.happens(perMille: 300)
      account.prices.append(report)
    }
    guard sends else { return }
    let isEmbedded = reports && account.prices[account.prices.count - 1].isEmbedded
    upload(
      at: purchase.purchasedAt + Int64(random.within(2...40)) * 1000,
      report: isEmbedded ? account.prices.count - 1 : -1)
  }

  /// Adds a response at a moment, if the exports include that moment.
  ///
  /// `inAppAsOf` is the time of the device's receipt, by default the same moment. `report` is the
  /// position of the price report in the record. If the exports do not include the moment, this
  /// report becomes separate, because no record can contain the report.
  mutating func upload(at moment: Int64, inAppAsOf: Int64? = nil, report: Int = -1) {
    guard moment < world.end, moment >= world.start else {
      if report >= 0 { account.prices[report].isEmbedded = false }
      return
    }
    var upload = AccountUpload(
      at: moment + Int64(random.below(1000)), inAppAsOf: inAppAsOf ?? moment, report: report)
    upload.namesStorefront = random.happens(perMille: world.reporting.recordNamesStorefront)
    if random.happens(perMille: 40) { upload.form = .text }
    upload.style = Int(truncatingIfNeeded: UInt64(upload.at) &* 0x9e37_79b9_7f4a_7c15 >> 48)
    account.uploads.append(upload)
  }

  /// Adds the records that no purchase causes: responses, and the price reports that the app sends
  /// when the customer views the price list.
  mutating func useApp(from first: Int64) {
    let begin = max(first, world.start)
    guard begin < world.end, !account.purchases.isEmpty else { return }
    for _ in 0..<random.weighted(world.habits.priceViews) {
      let moment = anyMoment(after: begin)
      upload(at: moment, inAppAsOf: begin + (moment - begin) / 10 * Int64(random.below(11)))
    }
    if random.happens(perMille: 940) {
      let lastDays = max(1, min(30, world.days / 10))
      let last = max(begin, world.end - day(lastDays))
      let moment = anyMoment(after: last)
      upload(at: moment, inAppAsOf: begin + (moment - begin) / 10 * Int64(random.below(11)))
    }
    for _ in 0..<random.weighted(world.reporting.visits) where account.reports {
      seesPrices(at: anyMoment(after: begin))
    }
  }

  /// Draws a moment between `begin` and the end of the store.
  mutating func anyMoment(after begin: Int64) -> Int64 {
    begin + Int64(random.below(Int(world.end - begin) / 1000)) * 1000
  }

  /// Opens the price list, so that the app reports prices.
  ///
  /// The reports are about a product that the customer bought, and about some of the other products
  /// of its group.
  private mutating func seesPrices(at moment: Int64) {
    let own = account.purchases[random.below(account.purchases.count)].product
    let group = world.products[own].group
    let shown = world.products.indices.filter {
      $0 == own
        || (group != nil && world.products[$0].group == group
          && world.sold($0, at: moment) == $0)
    }
    for product in shown where product == own || random.happens(perMille: 600) {
      var report = report(of: product, at: moment)
      report.hasDiscounts = random.happens(perMille: 700)
      account.prices.append(report)
    }
  }

  /// Creates a price report about a product at a moment, with right prices and times.
  mutating func report(of product: Int, at moment: Int64) -> AccountReport {
    account.report(of: product, at: moment, in: world, &random)
  }
}
