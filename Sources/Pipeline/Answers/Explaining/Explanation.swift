internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PaidAmounts
package import Pipeline
internal import PurchaseModel
internal import Purchases

/// The reasons for the amount of a transaction: its observations, the candidates, the deciding
/// rule.
package struct Explanation: Hashable {
  /// One value with its name.
  struct Field: Hashable {
    var name: String
    var value: String
  }

  /// One row of a response that showed the purchase.
  struct Observation: Hashable {
    var place: String
    var snapshotAt: String
    /// `latest` or `in_app`.
    var list: String
    /// The fields that were there.
    var fields: [Field]
  }

  /// A price that a rule could have taken.
  struct Candidate: Hashable {
    /// The source: a file and line, an earlier row, an interval.
    var place: String
    /// The price with its currency; `nil` if the report has none of the row's kind.
    var price: String?
    /// The verdict on the report.
    var verdict: String?
    /// Further remarks: the payment mode, the distance in time.
    var remarks: [String]
  }

  struct Step: Hashable {
    var rule: String
    /// `decided`, `passed` or `not_asked`.
    var outcome: String
    /// The reason why it did not decide, or why it left the amount open; else empty.
    var reason: String
    var candidates: [Candidate]
  }

  /// The id that was requested.
  var transactionID: String
  /// The amount with its currency, or that it is not known.
  var amount: String
  /// The degree of trust in it.
  var status: String
  /// The rule that decided; `nil` for a purchase that is out of revenue.
  var rule: String?
  /// The deciding report, row or interval; `nil` if only the receipt decides.
  var evidence: String?
  /// The reason why the purchase is not used as revenue; `nil` for revenue rows.
  var exclusion: String?
  /// The facts about the purchase.
  var fields: [Field]
  /// The records in which it occurs.
  var observations: [Observation]
  /// Every rule in order; empty for a purchase that is out of revenue.
  var steps: [Step]
  /// The evidence that a user can add to make the amount known; `nil` if it is known, or if no
  /// evidence would help.
  var advice: String?
}

extension Explanation {
  /// Explains a purchase.
  ///
  /// - Parameters:
  ///   - transactionID: The id that was requested.
  ///   - purchase: Everything that explains it.
  ///   - settings: Everything but the exports that its amount follows from.
  ///   - cataloguePaths: The catalogue's files.
  /// - Returns: The explanation.
  /// - Throws: ``RunFailure`` with status 70 for an amount that does not fit.
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
