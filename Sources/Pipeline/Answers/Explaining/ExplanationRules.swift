internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import Pipeline
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Builds the part of an explanation that lists the rules, and the prices that each rule
/// considered.
extension ExplanationBuilder {
  /// Builds the explanation of a rule: its outcome, its reason and the prices that it considered.
  ///
  /// - Parameters:
  ///   - step: The rule and its outcome.
  ///   - open: The reason why the deciding rule left the amount unresolved; empty for a known
  ///     amount.
  func step(_ step: DecisionTrail.Step, leaving open: String) -> Explanation.Step {
    let (outcome, reason): (String, String) =
      switch step.outcome {
      case .decided: ("decided", open)
      case .passed(let reason): ("passed", PassReasonText.text(reason))
      case .skipped: ("not_asked", "an earlier rule decided the amount")
      }
    return Explanation.Step(
      rule: step.rule.rawValue, outcome: outcome, reason: reason,
      candidates: step.candidates.map(candidate))
  }

  /// Returns the reason why the amount is unresolved; an empty text for a known amount.
  ///
  /// Example: a list price rose from 9.99 to 12.99 USD between two renewals → `not known, 9.99 USD
  /// to 12.99 USD: the price rose after the previous row, and nothing shows whether this subscriber
  /// pays the increase`.
  func openReason(_ trail: DecisionTrail) -> String {
    let amount = trail.amount
    guard amount.paid == nil else { return "" }
    let bounds = amount.high.map {
      "\(text(amount.low, amount.currency)) to \(text($0, amount.currency))"
    }
    let cause =
      switch amount.rule {
      case .previousRenewal where amount.basis == nil:
        "the price rose since the chain began, and the exports lack its first rows"
      case .previousRenewal where trail.lists.count > 1:
        "the storefront is not known, and the storefronts of the currency have different prices"
      case .previousRenewal where bounds == nil:
        "existing subscribers were moved to a price that no report shows"
      case .previousRenewal:
        "the price rose after the previous row, and nothing shows whether this subscriber pays "
          + "the increase"
      case .conflict: "the exports contradict each other"
      case .unresolved where isContested(trail):
        "the price reports and export records around the purchase have different storefronts"
      default: "no earlier rule found a price"
      }
    return "not known" + (bounds.map { ", \($0)" } ?? "") + ": \(cause)"
  }

  private func isContested(_ trail: DecisionTrail) -> Bool {
    trail.steps.contains { $0.outcome == .passed(.placeContested) }
  }

  private func candidate(_ candidate: PriceCandidate) -> Explanation.Candidate {
    var remarks: [String] = []
    if let mode = candidate.paymentMode { remarks.append(mode.name) }
    var verdict: Verdict?
    let place: String
    switch candidate.origin {
    case .report(let position):
      let reportVerdict = household.reportVerdicts[position.index]
      place = self.place(household.reports[position.index].report.source)
      verdict = reportVerdict.verdict
      remarks += doubts(of: reportVerdict, candidate.currency)
      if let distance = candidate.distance { remarks.append(DistanceText.text(distance)) }
    case .row(let row):
      place = rowText(row)
    case .interval(let index):
      let interval = prices.history.intervals[index]
      let from = interval.from?.text ?? "the beginning"
      let storefront = interval.series.storefront.map { " in \($0.code)" } ?? ""
      let source = interval.isListed ? "App Store Connect's price list" : "price history"
      place = "\(source)\(storefront) from \(from) to \(interval.to?.text ?? "now")"
      if !interval.isListed { remarks += witnesses(of: interval) }
    case .change(let day, let existing):
      place = "\(cataloguePath), change of \(day.day.text)"
      remarks.append(
        existing == .moved
          ? "existing subscribers pay the new price too"
          : "existing subscribers keep their old price")
    case .catalogue:
      place = cataloguePlace(candidate)?.text ?? cataloguePath
    }
    return Explanation.Candidate(
      place: place, price: candidate.price.map { text($0, candidate.currency) },
      verdict: verdict?.rawValue, remarks: remarks)
  }

  /// Returns two remarks about a learned price: the number of its voters, and its first evidence.
  ///
  /// The first evidence is the file and line of the first report; `signed by Apple` if no report
  /// shows the price.
  private func witnesses(of interval: PriceInterval) -> [String] {
    [
      Count.text(Int(interval.voters), "voter"),
      interval.firstReport.map { "first in \(place(ofReport: $0))" } ?? "signed by Apple",
    ]
  }

  /// Returns remarks about a report: its storefront, and why its price is doubtful.
  ///
  /// A price is doubtful if the report is not believed, or if other voters do not confirm this
  /// price, so that it cannot make an amount exact.
  private func doubts(of reportVerdict: ReportVerdict, _ currency: Currency?) -> [String] {
    var remarks = reportVerdict.place.map { ["in \($0.code)"] } ?? []
    switch reportVerdict.verdict {
    case .believed:
      if reportVerdict.isOutnumbered {
        remarks.append("more others report the price in force, so it decides no other purchase")
      } else if !reportVerdict.isConfirmed {
        remarks.append("too few others report the same price, or some report another")
      }
    case .noReference:
      remarks.append(
        reportVerdict.reference.map {
          "one other customer reports \(text($0, currency)), and nothing shows which is right"
        } ?? "no other customer reports a price")
    case .outlier, .unitError:
      remarks.append(
        reportVerdict.reference.map { "compared with the regular price \(text($0, currency))" }
          ?? (reportVerdict.verdict == .unitError
            ? "in another unit of money than earlier reports, or than the product's prices in "
              + "other currencies"
            : "too far from the product's price in other currencies"))
    case .currencyMismatch:
      remarks.append("other customers in that storefront report another currency")
    case .outvoted:
      if let outvoting = reportVerdict.outvoting {
        remarks.append(
          "near that time \(Count.text(outvoting.inForce, "other voter")) reported "
            + "\(text(outvoting.priceInForce, currency)), and \(Count.text(outvoting.same, "voter")) "
            + "reported this price; if it was charged, set the amount with --correct")
      }
    case .wrongPlace:
      remarks.append(
        "the App Store does not use this currency in the storefront of the report, so only the "
          + "storefront is wrong")
    case .contestedPlace:
      remarks.append("the record that contains the purchase has another storefront")
    case .otherProduct:
      remarks.append("the transaction id belongs to a purchase of another product")
    case .impossibleDate: remarks.append("the report cannot have been made at that time")
    case .impossibleAmount: remarks.append("the amount or the currency is impossible")
    case .charged:
      remarks.append("the amount charged for one purchase, not the regular price")
    case .otherStore:
      remarks.append("the transaction id is not of the App Store, and no purchase has it")
    case .contestedCharge:
      remarks.append("another charge of the purchase states another amount")
    case .distrusted:
      if let cause = reportVerdict.distrustedFor {
        let verdict = facts.all.verdict(of: cause) ?? .distrusted
        remarks.append(
          "another report of the same sender, \(place(ofReport: cause)), is not believed: "
            + verdict.rawValue)
      }
    }
    return remarks
  }

  /// Finds the catalogue line from which a considered price comes; `nil` if no line has this price.
  private func cataloguePlace(_ candidate: PriceCandidate) -> CatalogueText.Place? {
    guard let price = candidate.price, let currency = candidate.currency else { return nil }
    let product = symbols.text(purchase.productID.symbol)
    if let distance = candidate.distance {
      return catalogue.place(
        ofPrice: price, from: purchase.purchasedAt.advanced(by: distance).day, in: currency,
        of: product)
    }
    let offers = [purchase.promotionalOfferID, purchase.offerCodeRefName]
      .compactMap { $0.map { symbols.text($0.symbol) } }
    return catalogue.place(ofOffer: offers, price: price, in: currency, of: product)
  }

  func rowText(_ row: RowPosition) -> String {
    let earlier = household.purchases.purchases[row.index]
    return "transaction \(earlier.transactionID.number.text(in: symbols)) of "
      + earlier.purchasedAt.text
  }
}
