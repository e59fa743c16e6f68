internal import Amounts
package import Diagnostics
internal import PaidAmounts
package import Pipeline
internal import Purchases

/// The explanation of an amount: its observations, the considered prices and the deciding rule.
package struct Explanation: Hashable {
  struct Field: Hashable {
    var name: String
    var value: String
  }

  /// A row of the exports that shows the purchase.
  struct Observation: Hashable {
    var place: String
    var snapshotAt: String
    /// The list that contains the row: `latest` or `in_app`.
    var list: String
    /// The fields that are present in the row.
    var fields: [Field]
  }

  /// A price that a rule considered.
  struct Candidate: Hashable {
    /// The source of the price, as text.
    ///
    /// Examples: the file and line of a price report, the transaction of an earlier row, or the
    /// time for which a price was in force.
    var place: String
    /// The price with its currency; `nil` if the report lacks the kind of price that the row needs.
    ///
    /// Example: a report without an introductory price has no price for an introductory row.
    var price: String?
    /// The verdict on the report; `nil` if the price is not from a report.
    var verdict: String?
    /// Remarks, such as the payment mode and the time between the report and the purchase.
    var remarks: [String]
  }

  struct Step: Hashable {
    var rule: String
    /// The outcome of the rule: `decided`, `passed` or `not_asked`.
    ///
    /// `passed`: the rule was tried, but did not decide. `not_asked`: the rule was not tried,
    /// because an earlier rule had decided the amount.
    var outcome: String
    /// The reason why the rule did not decide, or why its decision leaves the amount unresolved.
    ///
    /// Empty if the rule decided a known amount.
    var reason: String
    var candidates: [Candidate]
  }

  /// The requested transaction id.
  var transactionID: String
  /// The amount with its currency, such as `9.99 USD`; `not known` for an unresolved amount, and
  /// `no revenue` for a purchase that is excluded from revenue.
  var amount: String
  /// The confidence in the amount, such as `exact` or `unresolved`.
  ///
  /// `excluded` for a purchase that is excluded from revenue.
  var status: String
  /// The rule that decided; `nil` for a purchase that is excluded from revenue.
  var rule: String?
  /// The source of the amount: a file and line, an earlier row or a listed price.
  ///
  /// `nil` if the amount needs no source, as for a free trial.
  var evidence: String?
  /// The reason why the purchase is excluded from revenue; `nil` for revenue rows.
  var exclusion: String?
  /// The properties of the purchase, such as its product and storefront.
  var fields: [Field]
  var observations: [Observation]
  /// All rules, in the order in which they are tried.
  ///
  /// Empty for a purchase that is excluded from revenue.
  var steps: [Step]
  /// The evidence with which the owner can make an unknown amount known.
  ///
  /// `nil` if the amount is known, and for a purchase that is excluded from revenue.
  var advice: String?
  /// The changes of the published amount by later runs.
  var history = AmountHistory()
}

extension Explanation {
  /// Explains a purchase.
  ///
  /// - Throws: ``RunFailure`` with status 70 if an amount overflows.
  package static func of(
    _ transactionID: String, _ purchase: ExplainedPurchase, settings: ReconstructSettings,
    cataloguePaths: [String], history: AmountHistory
  ) throws(RunFailure) -> Explanation {
    var explanation = try of(
      transactionID, purchase, settings: settings, cataloguePaths: cataloguePaths)
    explanation.history = history
    return explanation
  }

  private static func of(
    _ transactionID: String, _ purchase: ExplainedPurchase, settings: ReconstructSettings,
    cataloguePaths: [String]
  ) throws(RunFailure) -> Explanation {
    let builder = ExplanationBuilder(
      facts: purchase, catalogue: settings.catalogue,
      cataloguePath: cataloguePaths.isEmpty
        ? "the catalogue" : cataloguePaths.joined(separator: ", "))
    guard purchase.position < purchase.household.purchases.revenueCount else {
      return builder.excluded(as: transactionID)
    }
    let trail = try RunFailure.ofOverflow { () throws(AmountError) in
      try purchase.household.evidence.trail(of: purchase.position, policy: settings.renewalPolicy)
    }
    return builder.explained(as: transactionID, by: trail)
  }
}
