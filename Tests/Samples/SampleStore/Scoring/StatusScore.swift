/// Compares a pipeline's statuses of subscriptions and its eligibilities for offers with the truth.
public struct StatusScore: Hashable, Sendable {
  /// The number of subscriptions in the truth, except those called `not_seen` whose end no export
  /// shows.
  public var subscriptions = 0
  /// The number of subscriptions that were found with the true status.
  public var subscriptionsRight = 0
  /// The number of found subscriptions that the truth lacks.
  public var subscriptionsUnexpected = 0
  /// The number of pairs of a customer and a subscription group in the truth.
  public var eligibilities = 0
  /// The number of eligibilities that were found with the true reason and with the true eligibility
  /// for promotional offers.
  public var eligibilitiesRight = 0
  /// The number of found eligibilities that the truth lacks.
  public var eligibilitiesUnexpected = 0
  /// The first twenty deviations as text, for a test's message.
  public var examples: [String] = []

  /// Compares a pipeline's rows with the truth.
  ///
  /// An eligibility identifies its customer by any chain of the customer. `chains` has all chains
  /// of a customer, keyed by each of these chains.
  public init(
    _ truth: StoreTruth, subscriptions found: [TruthSubscription],
    eligibility answers: [TruthEligibility], chainsOf chains: [String: [String]]
  ) {
    score(found, truth.subscriptions)
    score(answers, truth.eligibility, chains)
  }

  private mutating func score(_ found: [TruthSubscription], _ truth: [TruthSubscription]) {
    subscriptions = truth.count
    var truthOf: [String: TruthSubscription] = [:]
    for subscription in truth { truthOf[subscription.originalTransactionID] = subscription }
    for subscription in found {
      let id = subscription.originalTransactionID
      guard let expected = truthOf.removeValue(forKey: id) else {
        subscriptionsUnexpected += 1
        note("unexpected subscription \(id)")
        continue
      }
      if subscription.status == expected.status {
        subscriptionsRight += 1
      } else if subscription.status == "not_seen", !expected.isEndSeen {
        subscriptions -= 1
      } else {
        note("subscription \(id): \(subscription.status), true is \(expected.status)")
      }
    }
    for id in truthOf.keys.sorted() { note("no subscription \(id)") }
  }

  private mutating func score(
    _ answers: [TruthEligibility], _ truth: [TruthEligibility], _ chains: [String: [String]]
  ) {
    eligibilities = truth.count
    var expected: [String: TruthEligibility] = [:]
    for row in truth { expected["\(row.originalTransactionID) \(row.groupID)"] = row }
    for answer in answers {
      let ids = chains[answer.originalTransactionID] ?? [answer.originalTransactionID]
      let key = ids.map { "\($0) \(answer.groupID)" }.first { expected[$0] != nil }
      guard let key, let row = expected.removeValue(forKey: key) else {
        eligibilitiesUnexpected += 1
        note("unexpected answer about \(answer.originalTransactionID) in \(answer.groupID)")
        continue
      }
      if row.introReason == answer.introReason, row.isPromoEligible == answer.isPromoEligible {
        eligibilitiesRight += 1
      } else {
        note("\(key): \(answer.introReason), true is \(row.introReason)")
      }
    }
    for key in expected.keys.sorted() { note("no answer about \(key)") }
  }

  private mutating func note(_ text: String) {
    if examples.count < 20 { examples.append(text) }
  }
}
