internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import TestSupport

/// The facts that the rules give for a scenario, as texts by section.
struct StoryFacts {
  var story: StoryStore
  var store: DecidedStore
  var book: PurchaseHistory
  var timelines: BillingTimelines
  var amounts: PaidAmountResults
  var subscriptions: SubscriptionResults
  var eligibility: [OfferEligibility]

  func facts(of section: StorySection) -> [StoryFact] {
    switch section {
    case .paidAmounts: (0..<book.revenueCount).map(paidAmount)
    case .revenue: ledger()
    case .conversions: subscriptions.conversions.map(conversion)
    case .subscriptions: subscriptions.subscriptions.map(subscription)
    case .eligibility: eligibility.map(eligible)
    case .excluded: excluded()
    case .aliases: aliases()
    case .verdicts: zip(store.batch.reports, store.prices.reportVerdicts).compactMap(verdict)
    case .priceHistory: store.prices.history.intervals.map(interval)
    case .questions: store.questions.map(question)
    }
  }

  private func paidAmount(_ row: Int) -> StoryFact {
    let purchase = book.purchases[row]
    let timeline = timelines.rows[row]
    let amount = amounts.amounts[row]
    let currency = amount.currency
    return StoryFact(
      identity: id(row),
      fields: [
        "paid": StoryText.money(amount.paid, currency, absent: "unresolved"),
        "low": StoryText.money(amount.low, currency),
        "high": StoryText.money(amount.high, currency, absent: "unbounded"),
        "rule": amount.rule.rawValue, "status": amount.status.rawValue,
        "kind": timeline.kind.rawValue, "product": text(purchase.productID.symbol),
        "mode": amount.paymentMode.rawValue, "offer": text(timeline.offerID?.symbol),
        "currency": currency?.code ?? "none", "storefront": amount.storefront?.code ?? "none",
        "storefront_source": amount.storefrontSource.rawValue,
        "list": StoryText.money(amount.listPrice, currency),
        "voters": "\(store.voters(of: amount))",
        "evidence": amount.evidence.map { report($0) } ?? "none",
        "basis": amount.basis.map { id($0.index) } ?? "none",
        "reversal": timeline.reversal?.kind.rawValue ?? "none",
        "reversed": StoryText.time(timeline.reversal?.at),
        "period": timeline.paidPeriod(usual: timelines.productPeriods[purchase.productID])?.text
          ?? "none", "spell": text(timeline.spellNumber),
        "renewal": text(timeline.renewalNumber), "number": text(subscriptions.paidNumbers[row]),
        "lapse": "\(timeline.followsLapse)", "recovery": "\(timeline.isBillingRecovery)",
        "quantity": "\(purchase.quantity)", "bought": StoryText.time(purchase.purchasedAt),
        "until": StoryText.time(purchase.expiresAt),
      ])
  }

  private func conversion(_ conversion: Conversion) -> StoryFact {
    let period = timelines.offerPeriods[Int(conversion.offerPeriod)]
    let currency = amounts.amounts[period.rows.lowerBound].currency
    return StoryFact(
      identity: id(period.rows.lowerBound),
      fields: [
        "status": conversion.status.rawValue,
        "by": conversion.convertedBy.map { id($0.index) } ?? "none",
        "same_product": text(conversion.isSameProduct),
        "contiguous": text(conversion.isContiguous), "days": text(conversion.daysToConvert),
        "refunded": StoryText.time(conversion.conversionRefundedAt),
        "paid": StoryText.money(conversion.offerPaid, currency, absent: "unresolved"),
        "matures": StoryText.time(conversion.maturesAt), "mature": "\(conversion.isMature)",
        "number": "\(conversion.offerNumber)", "periods": "\(period.rows.count)",
        "mode": conversion.paymentMode.rawValue, "kind": period.kind.rawValue,
        "ends": StoryText.time(conversion.endsAt),
      ])
  }

  private func subscription(_ subscription: Subscription) -> StoryFact {
    let state = subscription.renewalState.map { book.renewalStates[Int($0)] }
    return StoryFact(
      identity: story.store.text(book.chains[subscription.chain.index].originalTransactionID),
      fields: [
        "status": subscription.status.rawValue,
        "expires": StoryText.time(subscription.expiresAt),
        "product": text(subscription.currentProductID.symbol),
        "spells": "\(subscription.spells)", "paid_count": "\(subscription.paidCount)",
        "started": StoryText.time(subscription.firstStartedAt),
        "first_trial": StoryText.time(subscription.firstTrialAt),
        "first_paid": StoryText.time(subscription.firstPaidAt),
        "group": text(subscription.subscriptionGroupID?.symbol),
        "renews": text(state?.autoRenewStatus),
      ])
  }

  private func eligible(_ row: OfferEligibility) -> StoryFact {
    StoryFact(
      identity: text(row.customer.symbol) + " " + text(row.subscriptionGroupID.symbol),
      fields: [
        "reason": row.introReason.rawValue,
        "intro": row.isIntroEligible.map { "\($0)" } ?? "undecided",
        "promo": "\(row.isPromoEligible)",
      ])
  }

  private func excluded() -> [StoryFact] {
    (book.revenueCount..<book.purchases.count).map { row in
      StoryFact(
        identity: id(row),
        fields: ["reason": book.purchases[row].exclusion?.rawValue ?? "none"])
    }
  }

  /// The ids of purchases other than their main ids.
  private func aliases() -> [StoryFact] {
    book.aliases.compactMap { alias in
      guard book.purchases[alias.purchase.index].transactionID != alias.transactionID else {
        return nil
      }
      return StoryFact(
        identity: story.store.text(alias.transactionID),
        fields: ["purchase": id(alias.purchase.index)])
    }
  }

  /// The verdict on a report with a name.
  private func verdict(_ own: HouseholdReport, _ reportVerdict: ReportVerdict) -> StoryFact? {
    let reports = story.store.observations.reports
    guard let position = reports.firstIndex(where: { $0.evidenceID == own.report.evidenceID }),
      let name = story.reportNames[position]
    else { return nil }
    return StoryFact(
      identity: name,
      fields: [
        "verdict": reportVerdict.verdict.rawValue,
        "reference": StoryText.money(reportVerdict.reference, own.report.currency),
        "place": reportVerdict.place?.code ?? "none",
        "confirmed": "\(reportVerdict.isConfirmed)",
      ])
  }

  private func interval(_ interval: PriceInterval) -> StoryFact {
    let storefront = interval.series.storefront?.code
    let from = interval.from.map(\.text) ?? "ever"
    let priceOf =
      switch interval.series.kind {
      case .regular: "regular" + (storefront.map { ":\($0)" } ?? "")
      case .introductory(let mode, _): "intro:\(storefront ?? "none"):\(mode.name)"
      case .offer(let offer):
        "offer:\(text(offer.symbol))" + (storefront.map { ":\($0)" } ?? "")
      }
    return StoryFact(
      identity: [text(interval.productID.symbol), interval.currency.code, priceOf, from]
        .joined(separator: " "),
      fields: [
        "price": StoryText.money(interval.price, interval.currency),
        "length": interval.length.text.isEmpty ? "none" : interval.length.text,
        "to": interval.to.map(\.text) ?? "ever", "voters": "\(interval.voters)",
        "reports": "\(interval.reports)", "rejected": "\(interval.rejectedReports)",
      ])
  }

  private func question(_ question: PriceChangeQuestion) -> StoryFact {
    StoryFact(
      identity: [text(question.productID.symbol), question.currency.code, question.from.text]
        .joined(separator: " "),
      fields: [
        "old": StoryText.money(question.oldPrice, question.currency),
        "new": StoryText.money(question.newPrice, question.currency), "rows": "\(question.rows)",
        "storefront": question.storefront?.code ?? "none",
      ])
  }

  func id(_ row: Int) -> String { story.store.text(book.purchases[row].transactionID) }

  private func report(_ evidenceID: Int64) -> String {
    let reports = story.store.observations.reports
    return reports.firstIndex { $0.evidenceID == evidenceID }
      .flatMap { story.reportNames[$0] } ?? "unnamed"
  }

  private func text(_ symbol: Symbol?) -> String {
    symbol.map(story.store.observations.symbols.text) ?? "none"
  }

  private func text(_ value: (some CustomStringConvertible)?) -> String {
    value.map { $0.description } ?? "none"
  }
}
