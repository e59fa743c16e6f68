internal import CivilTime

/// The regular price of a subscription at some time, or the reason why the price is unknown.
struct KnownPrice {
  /// The price; `nil` if it is unknown.
  var price: Int64?
  var currency: WorldCurrency
  /// The time to which ``price`` belongs; price changes after this time are applied to ``price``.
  ///
  /// It is the time of the newest row with a determined price. If there is none, it is the time of
  /// the plan's first regular row, even if the exports lack that row.
  var since: Int64
  /// The commitment to which the price belongs; 0 for a price of a whole period.
  var commitment = 0
  /// Whether the exports suggest that the customer had left and come back.
  var isInDoubt = false
  /// The reason why the price is unknown.
  var gap = Finding.riseUnexplained
}

extension EvidenceReader {
  /// Decides whether the exports determine the price of a regular row.
  ///
  /// - Parameters:
  ///   - held: The plan's price in the current run of renewals; `nil` before the plan's first row.
  ///     The function updates this price.
  ///   - former: The plan's price before a lapse that the exports do not show; else `nil`.
  func regular(_ index: Int, _ held: inout KnownPrice?, former: KnownPrice?) -> Finding {
    let row = account.purchases[index]
    if charged.contains(index) || isReported(index) {
      held = KnownPrice(price: row.paid, currency: row.currency, since: row.purchasedAt)
      held?.commitment = row.commitment
      return charged.contains(index) ? .charged : .reported
    }
    if row.commitment > 0 { return instalment(index, &held) }
    let isBeginning = held == nil && beginning(of: row) == row.purchasedAt
    var finding = Finding.beginningUnseen
    if isBeginning {
      finding = listed(index, .regular(row.product))
      if let former, finding == .listed, charged(former, row).price != row.paid {
        finding = .returnUnseen
      }
    } else {
      let basis = held ?? unseen(index)
      finding = renewed(index, basis)
      if held == nil { held = basis }
    }
    if finding.isDetermined {
      held = KnownPrice(price: row.paid, currency: row.currency, since: row.purchasedAt)
    } else if isBeginning {
      held = KnownPrice(
        price: nil, currency: row.currency, since: row.purchasedAt, gap: finding)
    }
    return finding
  }

  /// Decides whether the exports determine a monthly payment of a yearly plan.
  ///
  /// The payments of one commitment are equal. The first payment of the next commitment is equal to
  /// them too, unless the yearly price has changed in between.
  private func instalment(_ index: Int, _ held: inout KnownPrice?) -> Finding {
    let row = account.purchases[index]
    let steps = world.prices.steps(
      row.product, row.storefront, after: held?.since ?? row.purchasedAt, through: row.purchasedAt)
    if let price = held?.price, held?.commitment == row.commitment || steps.isEmpty {
      held?.commitment = row.commitment
      return price == row.paid ? .renewed : .misled
    }
    let isFirst = held == nil && beginning(of: row) == row.purchasedAt
    let isSame = held?.commitment == row.commitment
    let finding =
      isFirst
      ? listed(index, .instalment(row.product))
      : isSame ? held?.gap ?? .riseUnexplained : .riseUnexplained
    held = KnownPrice(
      price: finding.isDetermined ? row.paid : nil, currency: row.currency,
      since: row.purchasedAt, gap: finding)
    held?.commitment = row.commitment
    return finding
  }

  /// Finds the time of the plan's first regular row in the current run of renewals.
  ///
  /// The plan begins when the customer subscribes or changes to it from another plan. Responses may
  /// lack its first row.
  private func beginning(of row: AccountPurchase) -> Int64 {
    let run = account.purchases.filter { $0.originalID == row.originalID && $0.run == row.run }
      .sorted { ($0.purchasedAt, $0.id) < ($1.purchasedAt, $1.id) }
    var begun: Int64?
    for other in run where other.purchasedAt <= row.purchasedAt {
      if other.product != row.product { begun = nil }
      if other.product == row.product, other.kind == .regular, begun == nil {
        begun = other.purchasedAt
      }
    }
    return begun ?? row.purchasedAt
  }

  /// Determines the starting price of a plan, if the exports lack the plan's first rows.
  ///
  /// The starting price is the list price at the plan's start, if reports show that list price.
  /// Otherwise the starting price is unknown.
  private func unseen(_ index: Int) -> KnownPrice {
    let row = account.purchases[index]
    let begun = beginning(of: row)
    let subject = PriceSubject.regular(row.product)
    let step = world.prices.step(row.product, row.storefront, at: begun)
    let places = place.candidates(index) ?? []
    let isShown =
      places.contains(row.storefront)
      && Set(places.map { trueReports.level(subject, $0, at: begun)?.terms }).count == 1
      && trueReports.objection(subject, row.storefront, at: begun) == nil
    return KnownPrice(
      price: isShown ? step.price : nil, currency: step.currency, since: begun,
      gap: .beginningUnseen)
  }

  private func renewed(_ index: Int, _ basis: KnownPrice) -> Finding {
    let row = account.purchases[index]
    let fallback = basis.price.map { _ in
      place.storefronts(with: basis.currency, at: row.purchasedAt)
    }
    guard let places = place.candidates(index) ?? fallback else { return .placeUnknown }
    guard places.contains(row.storefront) else { return .misled }
    let prices = Set(places.map { charged(basis, row, in: $0).price })
    guard prices.count == 1, let price = prices.first else { return .placeUnknown }
    guard let price else { return basis.price == nil ? basis.gap : .riseUnexplained }
    let subject = PriceSubject.regular(row.product)
    if let objection = trueReports.objection(subject, row.storefront, at: row.purchasedAt) {
      return objection
    }
    let list = world.prices.step(row.product, row.storefront, at: row.purchasedAt).price
    if basis.isInDoubt, list != price { return .returnUnseen }
    return price == row.paid ? .renewed : .misled
  }

  /// Applies the price changes of a storefront between the time of a known price and the time of a
  /// row.
  ///
  /// - Parameters:
  ///   - storefront: The storefront; `nil` for the storefront of the row.
  /// - Returns: The price of the row; unknown if the price rose and the exports do not show whether
  ///   the subscriber keeps the old price.
  private func charged(_ basis: KnownPrice, _ row: AccountPurchase, in storefront: Int? = nil)
    -> KnownPrice
  {
    let storefront = storefront ?? row.storefront
    let steps = world.prices.steps(
      row.product, storefront, after: basis.since, through: row.purchasedAt)
    var held = basis
    var position = 0
    while position < steps.count {
      let step = steps[position]
      position += 1
      if step.currency != held.currency {
        held.price = step.price
        held.currency = step.currency
        continue
      }
      if let price = held.price, step.price <= price {
        if position < steps.count, !step.isCatalogued, isReturn(steps[position], to: price) {
          position += 1
        } else {
          held.price = step.price
        }
        continue
      }
      if step.effect == .everyone { continue }
      held.price = afterRise(held, step, row, storefront)
    }
    return held
  }

  /// Whether a price change restores the given price, and the catalogue lacks the change.
  private func isReturn(_ step: PriceStep, to price: Int64) -> Bool {
    !step.isCatalogued && step.price == price
  }

  /// Determines the price after a rise; `nil` if the exports do not show the rise's effect.
  private func afterRise(
    _ held: KnownPrice, _ step: PriceStep, _ row: AccountPurchase, _ storefront: Int
  ) -> Int64? {
    if step.isCatalogued {
      guard step.effect == .moved else { return held.price }
      let objection = trueReports.objection(.regular(row.product), storefront, at: step.at)
      return objection == .unwitnessed ? nil : step.price
    }
    let isAgreed = account.looks.contains { look in
      look > held.since && look < row.purchasedAt
        && account.state(of: row.originalID, at: look)?.consent == 1
    }
    return step.effect == .consent && isAgreed ? step.price : nil
  }
}
