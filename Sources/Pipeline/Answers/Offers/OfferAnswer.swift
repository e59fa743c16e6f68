internal import Warehouse

/// The reason why a customer is or is not eligible for an offer, or why this is unknown.
enum OfferReason: Hashable {
  /// The reason as published, such as `eligible`, `used_trial`, `used_intro`, `active`,
  /// `in_grace_period` or `refunded`.
  case published(String)
  /// The customer is known, but has no purchase in the group.
  case nothingInGroup
  /// The customer has no published purchase.
  case unknownCustomer
  /// No purchase, report or catalogue entry has the product.
  case unknownProduct
  /// The product's subscription group is unknown, or the product is not a subscription.
  case unknownGroup
  /// A subscription of the customer has no group in its receipts, and may belong to the requested
  /// group.
  case subscriptionWithoutGroup

  /// The reason as a word for programs, such as `used_trial`.
  var word: String {
    switch self {
    case .published(let word): word
    case .nothingInGroup: "eligible"
    case .unknownCustomer: "unknown_customer"
    case .unknownProduct: "unknown_product"
    case .unknownGroup: "unknown_group"
    case .subscriptionWithoutGroup: "subscription_without_group"
    }
  }
}

/// The offers that an app may show a customer for one product, or in one group.
struct OfferAnswer: Hashable {
  /// The requested product; `nil` if the answer is about a group.
  var productID: String?
  /// The app of the product; `nil` if unknown, or if the answer is about a group.
  var bundleID: String?
  /// Whether several apps sell a product with this id; then there is one answer per app.
  var isOfSeveralApps = false
  /// The product's subscription group; `nil` if unknown.
  var groupID: String?
  /// Whether an introductory offer may be shown.
  ///
  /// `nil` if unknown, or undecided during a billing grace period.
  var isIntroEligible: Bool?
  /// Whether a promotional offer may be shown; `nil` if unknown.
  var isPromoEligible: Bool?
  var reason: OfferReason
}

extension CustomerOffers {
  /// Determines the offers of one product that the app may show the customer.
  ///
  /// - Parameters:
  ///   - product: The published facts about the product; `nil` if there are none.
  func answer(productID: String, product: Product?) -> OfferAnswer {
    guard let product else {
      return OfferAnswer(
        productID: productID, reason: isKnown ? .unknownProduct : .unknownCustomer)
    }
    var answer =
      product.groupID.map(answer(groupID:))
      ?? OfferAnswer(reason: isKnown ? .unknownGroup : .unknownCustomer)
    answer.productID = productID
    if !product.bundleID.isEmpty { answer.bundleID = product.bundleID }
    return answer
  }

  /// Determines the offers of one product, separately for each app that sells the product.
  ///
  /// - Parameters:
  ///   - products: The published facts about the product in each app; empty if there are none.
  /// - Returns: One answer per app that sells the product; a single answer if no app is known.
  func answers(productID: String, products: [Product]) -> [OfferAnswer] {
    guard products.count > 1 else {
      return [answer(productID: productID, product: products.first)]
    }
    return products.map { product in
      var answer = answer(productID: productID, product: product)
      answer.isOfSeveralApps = true
      return answer
    }
  }

  /// The answers about all groups in which the customer has or had a subscription, sorted by group.
  var answers: [OfferAnswer] {
    Set(published.keys).union(groupless.compactMap(\.self)).sorted().map(answer(groupID:))
  }

  /// Determines the offers of a subscription group that the app may show the customer.
  ///
  /// A subscription of the customer without a known group may belong to this group. If there is
  /// one, the customer's eligibility is known only if the published facts about this group exclude
  /// an introductory offer. Example: the customer used a trial in this group. Then the customer is
  /// not eligible, whatever the group of that subscription is.
  private func answer(groupID: String) -> OfferAnswer {
    guard isKnown else { return OfferAnswer(groupID: groupID, reason: .unknownCustomer) }
    let row = published[groupID]
    let isSubscriber = row?.isPromoEligible == true || groupless.contains(groupID)
    let mayHaveMore = groupless.contains(groupID) || groupless.contains(nil)
    if mayHaveMore, row.map({ $0.isIntroEligible == true }) ?? true {
      return OfferAnswer(
        groupID: groupID, isPromoEligible: isSubscriber ? true : nil,
        reason: .subscriptionWithoutGroup)
    }
    guard let row else {
      return OfferAnswer(
        groupID: groupID, isIntroEligible: true, isPromoEligible: false, reason: .nothingInGroup)
    }
    return OfferAnswer(
      groupID: groupID, isIntroEligible: row.isIntroEligible, isPromoEligible: isSubscriber,
      reason: .published(row.reason))
  }
}
