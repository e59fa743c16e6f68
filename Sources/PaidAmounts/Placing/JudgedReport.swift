public import Amounts
public import CivilTime
public import PriceLearning
internal import PurchaseModel
public import Purchases

/// A report with what placing found and what learning thinks of it.
public struct JudgedReport: Hashable, Sendable {
  /// The report's position in ``SightingSet/reports``.
  public var report: Int32
  /// The purchase it names, by its position in the purchase book, excluded ones included; `nil`
  /// where it names none, or one of another product.
  public var purchase: Int32?
  /// The household it belongs to: its customer's, else the named purchase's.
  public var household: HouseholdNumber?
  /// Its time: of the purchase it names, else when it was reported.
  public var time: Instant
  /// What is thought of it.
  public var judgement: Judgement

  /// What is thought of it, in a word.
  public var verdict: Verdict { judgement.verdict }
  /// The price it was compared with.
  public var reference: Milliunits? { judgement.reference }
}

/// How a report stands among reports of one moment, which two that name one purchase are: the
/// believed one before others, then the one made nearest to that moment (ties: the earlier).
///
/// Milliseconds, doubled; the smaller is to be preferred.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
