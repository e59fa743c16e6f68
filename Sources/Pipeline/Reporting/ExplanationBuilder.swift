internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// Gathers an explanation from the facts.
struct ExplanationBuilder {
  private let facts: Reconstruction
  private let position: Int
  private let catalogue: CatalogueText
  private let cataloguePath: String
  private var purchase: Purchase { facts.purchases.purchases[position] }
  private var symbols: SymbolTable { facts.sightings.symbols }

  init(
    facts: Reconstruction, position: Int, catalogue: CatalogueText, cataloguePath: String
  ) {
    self.facts = facts
    self.position = position
    self.catalogue = catalogue
    self.cataloguePath = cataloguePath
  }

  /// A purchase that is out of revenue.
  func excluded(as transactionID: String) -> Explanation {
    let reason = purchase.exclusion?.rawValue ?? "unknown"
    return Explanation(
      transactionID: transactionID, amount: "no revenue", status: "excluded", rule: nil,
      evidence: nil, exclusion: reason, fields: purchaseFields() + [field("left out", reason)],
      sightings: sightings(), steps: [])
  }

  /// A revenue row with the trail of its decision.
  func explained(as transactionID: String, by trail: DecisionTrail) -> Explanation {
    let amount = trail.amount
    let steps = trail.steps.map(step)
    let decided = steps.first { $0.outcome == "decided" }
    let isFromCatalogue = amount.rule == .catalogueOffer || amount.rule == .cataloguePrice
    return Explanation(
      transactionID: transactionID, amount: paidText(amount), status: amount.status.rawValue,
      rule: amount.rule.rawValue,
      evidence: isFromCatalogue ? decided?.candidates.first?.place : evidence(of: amount),
      exclusion: nil,
      fields: purchaseFields() + courseFields() + amountFields(amount),
      sightings: sightings(), steps: steps,
      advice: amount.status == .unresolved ? advice(amount) : nil)
  }

  private func advice(_ amount: PaidAmount) -> String {
    ExplanationAdvice.text(
      rule: amount.rule, kind: facts.courses.rows[position].kind,
      product: symbols.text(purchase.productID.symbol), currency: amount.currency,
      day: purchase.purchasedAt.day)
  }

  private func field(_ name: String, _ value: String) -> Explanation.Field {
    Explanation.Field(name: name, value: value)
  }

  // MARK: What is known of the purchase

  private func purchaseFields() -> [Explanation.Field] {
    var fields = [
      field("product", symbols.text(purchase.productID.symbol)),
      field("transaction", purchase.transactionID.number.text(in: symbols)),
    ]
    let aliases = facts.purchases.aliases.filter {
      $0.purchase == Int32(position) && $0.transactionID != purchase.transactionID
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

  private func courseFields() -> [Explanation.Field] {
    let course = facts.courses.rows[position]
    var kind = course.kind.rawValue
    if let offer = course.offerID { kind += " \(symbols.text(offer.symbol))" }
    var fields = [field("kind of row", kind)]
    if let period = course.coveredPeriod { fields.append(field("pays for", period.text)) }
    if let spell = course.spellNumber {
      let renewal = course.renewalNumber.map { ", renewal \($0)" } ?? ""
      fields.append(field("spell", "\(spell)\(renewal)"))
    }
    if course.followsLapse { fields.append(field("lapse", "one lies before this row")) }
    if let reversal = course.reversal {
      fields.append(field("reversal", "\(reversal.kind.rawValue) at \(reversal.at.text)"))
    }
    return fields
  }

  private func amountFields(_ amount: PaidAmount) -> [Explanation.Field] {
    let storefront = amount.storefront.map(\.code) ?? "unknown"
    var fields = [
      field("storefront", "\(storefront) (\(amount.storefrontSource.rawValue))"),
      field("currency", amount.currency?.code ?? "unknown"),
    ]
    if let list = amount.listPrice {
      fields.append(field("list price", text(list, amount.currency)))
    }
    fields.append(field("payment mode", amount.paymentMode.rawValue))
    fields.append(field("paid", paidText(amount)))
    let high = amount.high.map { text($0, amount.currency) } ?? "no known bound"
    fields.append(field("bounds", "\(text(amount.low, amount.currency)) to \(high)"))
    fields.append(field("status", amount.status.rawValue))
    if amount.evidenceCount > 0 {
      fields.append(field("voters", String(amount.evidenceCount)))
    }
    return fields
  }

  private func paidText(_ amount: PaidAmount) -> String {
    amount.paid.map { text($0, amount.currency) } ?? "not known"
  }

  private func text(_ amount: Milliunits, _ currency: Currency?) -> String {
    currency.map { amount.text(in: $0) } ?? amount.text(decimals: 2)
  }

  private func evidence(of amount: PaidAmount) -> String? {
    if let report = amount.evidence { return place(facts.sightings.reports[Int(report)].source) }
    return amount.basis.map(rowText)
  }

  // MARK: Where it was seen

  private func place(_ source: SourceLine) -> String {
    "\(facts.sightings.files[Int(source.file)].name):\(source.line)"
  }

  private func sightings() -> [Explanation.Sighting] {
    let book = facts.purchases
    let ids = Set(
      book.aliases.filter { $0.purchase == Int32(position) }.map(\.transactionID))
    let rows = facts.sightings.sightings.filter {
      ids.contains($0.transactionID)
        && ($0.originalTransactionID == purchase.originalTransactionID)
    }
    return rows.map { row in (row, facts.sightings.records[Int(row.record)]) }
      .sorted {
        ($0.1.snapshotAt, $0.1.source, $0.0.rank) < ($1.1.snapshotAt, $1.1.source, $1.0.rank)
      }
      .map { row, record in
        Explanation.Sighting(
          place: place(record.source), snapshotAt: record.snapshotAt.text,
          list: row.rank == .latest ? "latest" : "in_app", fields: fields(row, record))
      }
  }

  private func fields(_ row: PurchaseSighting, _ record: ReceiptRecord) -> [Explanation.Field] {
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
      ("environment", record.isSandbox ? "sandbox" : nil),
      ("storefront", record.storefront?.code),
    ]
    return values.compactMap { name, value in value.map { field(name, $0) } }
  }

  private func ownership(_ type: OwnershipType) -> String {
    switch type {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .unrecognized(let symbol): symbols.text(symbol)
    }
  }

  // MARK: The rules

  private func step(_ step: DecisionTrail.Step) -> Explanation.Step {
    let (outcome, reason): (String, String) =
      switch step.outcome {
      case .decided: ("decided", "")
      case .passed(let reason): ("passed", PassReasonText.text(reason))
      case .notAsked: ("not_asked", "an earlier rule decided")
      }
    return Explanation.Step(
      rule: step.rule.rawValue, outcome: outcome, reason: reason,
      candidates: step.candidates.map(candidate))
  }

  private func candidate(_ candidate: PriceCandidate) -> Explanation.Candidate {
    var remarks: [String] = []
    if let mode = candidate.paymentMode { remarks.append(mode.name) }
    if let reference = candidate.reference, candidate.verdict?.isBelieved == false {
      remarks.append("against a regular price of \(text(reference, candidate.currency))")
    }
    let place: String
    switch candidate.origin {
    case .report(let report):
      place = self.place(facts.sightings.reports[Int(report)].source)
      if let distance = candidate.distance { remarks.append(DistanceText.text(distance)) }
    case .row(let row):
      place = rowText(row)
    case .interval(let index):
      let interval = facts.amounts.intervals[index]
      let from = interval.from?.text ?? "ever"
      place = "price history from \(from) to \(interval.to?.text ?? "now")"
      remarks.append("\(interval.voters) voters")
      let first = facts.sightings.reports[Int(interval.firstReport)].source
      remarks.append("first in \(self.place(first))")
    case .catalogue:
      place = cataloguePath + (catalogueLine(candidate).map { ":\($0)" } ?? "")
    }
    return Explanation.Candidate(
      place: place, price: candidate.price.map { text($0, candidate.currency) },
      verdict: candidate.verdict?.rawValue, remarks: remarks)
  }

  /// The line of the catalogue that a price comes from.
  private func catalogueLine(_ candidate: PriceCandidate) -> Int? {
    guard let price = candidate.price, let currency = candidate.currency else { return nil }
    let product = symbols.text(purchase.productID.symbol)
    if let distance = candidate.distance {
      return catalogue.line(
        ofPrice: price, from: purchase.purchasedAt.advanced(by: distance).day, in: currency,
        of: product)
    }
    let offers = [purchase.promotionalOfferID, purchase.offerCodeRefName]
      .compactMap { $0.map { symbols.text($0.symbol) } }
    return catalogue.line(ofOffer: offers, price: price, in: currency, of: product)
  }

  private func rowText(_ row: Int32) -> String {
    let earlier = facts.purchases.purchases[Int(row)]
    return "transaction \(earlier.transactionID.number.text(in: symbols)) of "
      + earlier.purchasedAt.text
  }
}
