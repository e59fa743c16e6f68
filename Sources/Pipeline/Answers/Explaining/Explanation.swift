internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PaidAmounts
package import Pipeline
internal import PurchaseModel
internal import Purchases

/// The observations, the candidates and the deciding rule behind the amount of a transaction.
package struct Explanation: Hashable {
  /// A value with its name.
  struct Field: Hashable {
    var name: String
    var value: String
  }

  /// A row of a response that contains the purchase.
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
    /// The source: a file and line, an earlier row, or an interval of the price history.
    var place: String
    /// The price with its currency; `nil` if the report has no price of the row's kind.
    var price: String?
    /// The verdict on the report.
    var verdict: String?
    /// Further remarks, such as the payment mode and the distance in time.
    var remarks: [String]
  }

  struct Step: Hashable {
    var rule: String
    /// The outcome of the rule: `decided`, `passed` or `not_asked`.
    var outcome: String
    /// The reason why the rule did not decide, or why it left the amount unresolved.
    ///
    /// Empty if the amount is known.
    var reason: String
    var candidates: [Candidate]
  }

  /// The requested transaction id.
  var transactionID: String
  /// The amount with its currency, or a text which states that it is unknown.
  var amount: String
  /// The confidence in the amount.
  var status: String
  /// The rule that decided; `nil` for a purchase that is excluded from revenue.
  var rule: String?
  /// The report, row or interval that decided; `nil` if the receipt was enough.
  var evidence: String?
  /// The reason why the purchase is excluded from revenue; `nil` for revenue rows.
  var exclusion: String?
  /// The properties of the purchase.
  var fields: [Field]
  /// The records in which it occurs.
  var observations: [Observation]
  /// Every rule in order; empty for a purchase that is excluded from revenue.
  var steps: [Step]
  /// The evidence that a user can add to make the amount known.
  ///
  /// `nil` if it is known, or no evidence would help.
  var advice: String?
}

extension Explanation {
  /// Explains a purchase.
  ///
  /// - Parameters:
  ///   - transactionID: The requested transaction id.
  ///   - purchase: The evidence about the purchase.
  ///   - settings: The settings and files, apart from the exports, on which the amount depends.
  ///   - cataloguePaths: The files of the catalogue.
  /// - Returns: The explanation.
  /// - Throws: ``RunFailure`` with status 70 if an amount overflows.
  package static func of(
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
    let trail: DecisionTrail
    do {
      trail = try purchase.household.evidence.trail(
        of: purchase.position, policy: settings.renewalPolicy)
    } catch {
      throw RunFailure(.invariantBroken, "amount overflow: \(error)")
    }
    return builder.explained(as: transactionID, by: trail)
  }
}
