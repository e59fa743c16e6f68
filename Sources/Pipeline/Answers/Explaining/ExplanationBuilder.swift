internal import Amounts
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import Pipeline
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Builds the ``Explanation`` of a purchase from the evidence about it.
struct ExplanationBuilder {
  let facts: ExplainedPurchase
  let catalogue: CatalogueText
  let cataloguePath: String
  var position: Int { facts.position }
  var household: HouseholdEvidence { facts.household }
  var prices: PriceBook { facts.all.prices }
  var purchase: Purchase { household.purchases.purchases[position] }
  var symbols: SymbolTable { facts.all.observations.symbols }

  /// Explains a purchase that is excluded from revenue.
  func excluded(as transactionID: String) -> Explanation {
    let reason = purchase.exclusion?.rawValue ?? "unknown"
    return Explanation(
      transactionID: transactionID, amount: "no revenue", status: "excluded", rule: nil,
      evidence: nil, exclusion: reason, fields: purchaseFields() + [field("not revenue", reason)],
      observations: observations(), steps: [])
  }

  /// Explains a revenue row from its decision trail.
  ///
  /// The trail contains the rules, and the prices that each rule considered.
  func explained(as transactionID: String, by trail: DecisionTrail) -> Explanation {
    let amount = trail.amount
    let steps = trail.steps.map { step($0, leaving: openReason(trail)) }
    let decided = steps.first { $0.outcome == "decided" }
    let isFromCatalogue = amount.rule == .catalogueOffer || amount.rule == .cataloguePrice
    return Explanation(
      transactionID: transactionID, amount: paidText(amount), status: amount.status.rawValue,
      rule: amount.rule.rawValue,
      evidence: amount.rule == .ownerCorrection
        ? correction?.place.text
        : isFromCatalogue ? decided?.candidates.first?.place : evidence(of: amount),
      exclusion: nil,
      fields: purchaseFields() + placeholderFields() + timelineFields() + startFields(amount)
        + amountFields(trail) + listFields(trail),
      observations: observations(), steps: steps,
      advice: purchase.conflict.map(ExplanationAdvice.text)
        ?? (amount.status == .unresolved ? advice(amount) : nil))
  }

  private func advice(_ amount: PaidAmount) -> String {
    ExplanationAdvice.text(
      rule: amount.rule, isFollowing: amount.basis != nil,
      kind: household.timelines.rows[position].kind,
      product: symbols.text(purchase.productID.symbol), currency: amount.currency,
      day: purchase.purchasedAt.day)
  }

  private func field(_ name: String, _ value: String) -> Explanation.Field {
    Explanation.Field(name: name, value: value)
  }

  // MARK: - The facts about the purchase

  private func purchaseFields() -> [Explanation.Field] {
    var fields = [
      field("product", symbols.text(purchase.productID.symbol)),
      field("transaction", purchase.transactionID.number.text(in: symbols)),
    ]
    let aliases = household.purchases.aliases.filter {
      $0.purchase.index == position && $0.transactionID != purchase.transactionID
    }
    if !aliases.isEmpty {
      let ids = aliases.map { $0.transactionID.number.text(in: symbols) }
      fields.append(field("also known as", ids.joined(separator: ", ")))
    }
    fields.append(field("chain", purchase.originalTransactionID.number.text(in: symbols)))
    fields.append(field("purchased", purchase.purchasedAt.text))
    if let end = purchase.expiresAt { fields.append(field("expires", end.text)) }
    if purchase.quantity != 1 { fields.append(field("quantity", String(purchase.quantity))) }
    if let conflict = purchase.conflict { fields.append(field("conflict in", conflict.rawValue)) }
    return fields
  }

  /// Returns one field if a customer id of the chain is a placeholder, or if the receipt of its
  /// account was passed on; else an empty list.
  ///
  /// The text of the field does not contain the id.
  private func placeholderFields() -> [Explanation.Field] {
    guard !household.purchases.chains[household.purchases.chain(ofRow: position)].isPassedOn else {
      return [
        field(
          "customer id",
          "not used: the receipt was passed on, with more than \(Households.mostIDs) customer ids, or "
            + "more than \(Households.mostAccounts) that have purchases of other accounts")
      ]
    }
    let chain = purchase.originalTransactionID
    let named = Set(
      facts.chain.observations.lazy.filter { $0.originalTransactionID == chain }
        .compactMap { facts.chain.records[Int($0.record)].customer })
    let accounts = facts.all.placeholderIDs.filter {
      named.contains($0.customer)
    }
    .map { String($0.accounts) }
    guard !accounts.isEmpty else { return [] }
    return [
      field(
        "customer id",
        "ignored: \(accounts.joined(separator: " or ")) Apple accounts have this id; an id that "
          + "more than \(Households.mostAccounts) accounts have is treated as missing")
    ]
  }

  /// Returns one field if the exports lack the first rows of the chain and the amount depends on
  /// them; else an empty list.
  ///
  /// The field explains that the subscriber may still pay the price of the missing first rows.
  private func startFields(_ amount: PaidAmount) -> [Explanation.Field] {
    guard amount.rule == .previousRenewal, amount.basis == nil else { return [] }
    let chain = household.purchases.chains[household.purchases.chain(ofRow: position)]
    return [
      field(
        "first rows",
        "they are not in the exports: the chain began at \(chain.beganAt.text), and the "
          + "subscriber may still pay an earlier price")
    ]
  }

  private func timelineFields() -> [Explanation.Field] {
    let timeline = household.timelines.rows[position]
    var kind = timeline.kind.rawValue
    if let offer = timeline.offerID { kind += " \(symbols.text(offer.symbol))" }
    var fields = [field("kind of row", kind)]
    if let offer = timeline.offerID {
      let name =
        purchase.offerCodeRefName
        ?? facts.all.context.catalogue.offerName(offer, of: purchase.productID)
      if let name { fields.append(field("offer name", symbols.text(name.symbol))) }
    }
    let usual = household.timelines.productPeriods[purchase.productID]
    if let period = timeline.paidPeriod(usual: usual) {
      fields.append(field("pays for", period.text))
    }
    if let instalment = timeline.instalment, let whole = usual {
      fields.append(
        field("instalment", "one of \(instalment.count) payments for \(whole.text)"))
    }
    if let spell = timeline.spellNumber {
      let renewal = timeline.renewalNumber.map { ", renewal \($0)" } ?? ""
      fields.append(field("spell", "\(spell)\(renewal)"))
    }
    if timeline.followsLapse {
      fields.append(field("lapse", "the subscription had lapsed before this row"))
    }
    if let reversal = timeline.reversal {
      fields.append(field("reversal", "\(reversal.kind.rawValue) at \(reversal.at.text)"))
    }
    return fields
  }

  /// Returns fields about the owner's correction, and about the amount without this correction.
  ///
  /// Empty if the purchase has no correction.
  private func correctionFields(_ trail: DecisionTrail) -> [Explanation.Field] {
    guard let without = trail.withoutCorrection, let entry = correction else { return [] }
    return [
      field("correction", entry.reason),
      field("given by", "\(OneLine.text(entry.givenBy)) on \(entry.givenOn.text)"),
      field(
        "without it",
        "\(paidText(without)) (\(without.rule.rawValue), \(without.status.rawValue))"),
    ]
  }

  /// The owner's correction of the purchase; `nil` if there is none.
  var correction: CorrectionsFile.Entry? {
    let ids = Set(
      household.purchases.aliases.lazy.filter { $0.purchase.index == position }
        .map { $0.transactionID.number.text(in: symbols) })
    return catalogue.corrections.entries.last { ids.contains($0.transactionID) }
  }

  private func amountFields(_ trail: DecisionTrail) -> [Explanation.Field] {
    let amount = trail.amount
    let storefront = amount.storefront.map(\.code) ?? "unknown"
    let source =
      trail.isRunning && amount.storefrontSource == .inferred
      ? "inferred: the subscription's last known storefront, until a report shows "
        + "another storefront"
      : amount.storefrontSource.rawValue
    var fields = [
      field("storefront", "\(storefront) (\(source))"),
      field("currency", amount.currency?.code ?? "unknown"),
    ]
    if let list = amount.listPrice {
      fields.append(field("list price", text(list, amount.currency)))
    }
    fields.append(field("payment mode", amount.paymentMode.rawValue))
    if let price = purchase.signed?.price {
      fields.append(field("signed price", text(price.amount, price.currency)))
    }
    fields.append(field("paid", paidText(amount)))
    let high = amount.high.map { text($0, amount.currency) } ?? "no known bound"
    fields.append(field("bounds", "\(text(amount.low, amount.currency)) to \(high)"))
    fields.append(field("status", amount.status.rawValue))
    fields += correctionFields(trail)
    if let interval = amount.interval {
      fields.append(
        field("voters", String(prices.history.intervals[Int(interval)].voters)))
    }
    return fields
  }

  /// Returns one field about price lists: the storefronts with a separate price list, and the price
  /// list that the row uses.
  ///
  /// Returns an empty list if no storefront of the currency has a separate price list, or if the
  /// currency is unknown.
  private func listFields(_ trail: DecisionTrail) -> [Explanation.Field] {
    guard let currency = trail.amount.currency else { return [] }
    let apart = prices.apart[currency]
    guard !apart.isEmpty else { return [] }
    let codes = apart.map(\.code).joined(separator: ", ")
    let own =
      apart.count == 1 ? "\(codes) has its own list" : "\(codes) have their own lists"
    let lists = trail.lists.map { list in
      list.map { "the list of \($0.code)" } ?? "the list of all other storefronts"
    }
    let holding =
      lists.count == 1 ? lists[0] : "one of several lists, as the storefront is not known"
    return [field("price lists", "\(own) in \(currency.code); this row uses \(holding)")]
  }

  private func paidText(_ amount: PaidAmount) -> String {
    amount.paid.map { text($0, amount.currency) } ?? "not known"
  }

  func text(_ amount: Milliunits, _ currency: Currency?) -> String {
    currency.map { amount.text(in: $0) } ?? amount.text(decimals: 2)
  }

  private func evidence(of amount: PaidAmount) -> String? {
    if let report = amount.evidence { return place(ofReport: report) }
    return amount.basis.map(rowText)
  }

  // MARK: - The observations

  /// Finds the file and line of a price report by its evidence id.
  func place(ofReport id: Int64) -> String {
    facts.lines[id].map(place) ?? "a report that is no longer there"
  }

  func place(_ source: SourceLine) -> String {
    "\(facts.all.observations.files[Int(source.file)].name):\(source.line)"
  }

  private func observations() -> [Explanation.Observation] {
    let book = household.purchases
    let ids = Set(
      book.aliases.filter { $0.purchase.index == position }.map(\.transactionID))
    let rows = facts.chain.observations.filter {
      ids.contains($0.transactionID)
        && ($0.originalTransactionID == purchase.originalTransactionID)
    }
    return rows.map { row in (row, facts.chain.records[Int(row.record)]) }
      .sorted {
        ($0.1.snapshotAt, $0.1.source, $0.0.rank) < ($1.1.snapshotAt, $1.1.source, $1.0.rank)
      }
      .map { row, record in
        Explanation.Observation(
          place: place(record.source), snapshotAt: record.snapshotAt.text,
          list: row.rank == .latest ? "latest" : "in_app", fields: fields(row, record))
      }
  }

  private func fields(_ row: TransactionObservation, _ record: ReceiptRecord) -> [Explanation.Field]
  {
    let values: [(String, String?)] = [
      ("transaction_id", row.transactionID.number.text(in: symbols)),
      ("product_id", symbols.text(row.productID.symbol)),
      ("purchase_date", row.purchasedAt.text), ("expires_date", row.expiresAt?.text),
      ("web_order_line_item_id", row.lineItemID?.number.text(in: symbols)),
      ("is_trial_period", row.isTrialPeriod.map(String.init)),
      ("is_in_intro_offer_period", row.isInIntroOfferPeriod.map(String.init)),
      ("is_upgraded", row.isUpgraded.map(String.init)),
      ("promotional_offer_id", row.promotionalOfferID.map { symbols.text($0.symbol) }),
      ("offer_code_ref_name", row.offerCodeRefName.map { symbols.text($0.symbol) }),
      ("cancellation_date", row.cancelledAt?.text),
      ("cancellation_reason", row.cancellationReason.map(symbols.text)),
      ("in_app_ownership_type", row.ownership.map(ownership)),
      ("quantity", row.quantity == 1 ? nil : String(row.quantity)),
      ("billing_plan", row.signed?.billingPlan?.name),
      ("commitment_ends_at", row.signed?.commitmentEndsAt?.text),
      ("item_refunds", row.signed?.itemRefunds.map { itemRefunds(symbols.text($0), row) }),
      ("bundle", row.signed?.bundle.map(symbols.text)),
      ("environment", record.isSandbox ? "sandbox" : nil),
      ("storefront", record.storefront?.code),
    ]
    return values.compactMap { name, value in value.map { field(name, $0) } }
  }

  /// The refunds of single items as text, separated by commas: `1.99 USD of video on 2026-05-01`.
  private func itemRefunds(_ text: String, _ row: TransactionObservation) -> String {
    ItemRefundsText.refunds(in: text).map { refund in
      let amount =
        row.signed?.price.map { refund.amount.text(in: $0.currency) }
        ?? refund.amount.text(decimals: 2)
      return "\(amount) of \(refund.item) on \(refund.at.day.text)"
    }.joined(separator: ", ")
  }

  private func ownership(_ type: OwnershipType) -> String {
    switch type {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .unrecognized(let symbol): symbols.text(symbol)
    }
  }
}
