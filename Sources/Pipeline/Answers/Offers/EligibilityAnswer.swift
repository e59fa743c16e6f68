package import Diagnostics
package import Pipeline
internal import Warehouse

/// The published eligibility of a customer for introductory and promotional offers, with reasons.
package struct EligibilityAnswer: Hashable {
  /// The as-of time of the facts; `nil` for a warehouse without a run.
  var asOf: String?
  /// The customer's keyed hash.
  package var customerKey: String
  /// Whether the customer has any published purchase.
  var isKnown: Bool
  /// The answers, one per requested product, in the requested order.
  ///
  /// Without requested products, there is one answer per subscription group of the customer.
  var answers: [OfferAnswer]

  /// Looks up a customer in the warehouse of a pipeline.
  ///
  /// Reads only the warehouse and the customer key.
  ///
  /// - Parameters:
  ///   - customer: The customer id as in the exports; it is hashed immediately.
  ///   - products: The requested products; empty for all groups of the customer.
  /// - Throws: ``RunFailure`` with status 66 if nothing has been published.
  package static func read(_ definition: PipelineDefinition, customer: String, products: [String])
    throws(RunFailure) -> EligibilityAnswer
  {
    let key = try warehouseKey(ofCustomer: customer, key: try CustomerKey.read(definition))
    return try PublishedWarehouse(definition).read { db in
      let offers = try CustomerOffers.read(customer: key, on: db)
      return EligibilityAnswer(
        asOf: try CustomerOffers.asOf(on: db), customerKey: key, isKnown: offers.isKnown,
        answers: products.isEmpty
          ? offers.answers
          : try products.flatMap { id in
            offers.answers(productID: id, products: try CustomerOffers.products(id, on: db))
          })
    }
  }
}

extension EligibilityAnswer {
  /// The answers as text, without the customer's id.
  package var text: String {
    var lines = [asOf.map { "As of \($0)" } ?? "No run has published yet."]
    if !isKnown {
      lines.append(
        "Unknown customer: no published purchase has this id, so the eligibility is unknown.")
    } else if answers.isEmpty {
      lines.append("The customer has never had a subscription in a known group.")
    }
    guard !answers.isEmpty else { return lines.joined(separator: "\n") }
    var table = TextTable([
      ("product", .left), ("group", .left), ("introductory offer", .left), ("reason", .left),
      ("promotional offer", .left),
    ])
    for answer in answers {
      table.add([
        Self.product(answer), answer.groupID ?? "unknown",
        Self.word(answer.isIntroEligible, answer), answer.reason.word,
        Self.word(answer.isPromoEligible, answer),
      ])
    }
    return (lines + [table.text]).joined(separator: "\n")
  }

  /// Formats a product id; adds the app if several apps sell the product.
  private static func product(_ answer: OfferAnswer) -> String {
    guard let productID = answer.productID else { return "" }
    guard answer.isOfSeveralApps else { return productID }
    return "\(productID) of \(answer.bundleID ?? "an unknown app")"
  }

  private static func word(_ isEligible: Bool?, _ answer: OfferAnswer) -> String {
    if let isEligible { return isEligible ? "yes" : "no" }
    switch answer.reason {
    case .published: return "not decided"
    case .nothingInGroup, .unknownCustomer, .unknownProduct, .unknownGroup,
      .subscriptionWithoutGroup:
      return "unknown"
    }
  }

  /// The answers as JSON.
  package var json: JSONText {
    .object([
      .init("as_of", .text(orNull: asOf)), .init("customer_key", .text(customerKey)),
      .init("is_customer_known", .flag(isKnown)),
      .init(
        "answers",
        .list(
          answers.map { answer in
            .object([
              .init("product_id", .text(orNull: answer.productID)),
              .init("bundle_id", .text(orNull: answer.bundleID)),
              .init("subscription_group_id", .text(orNull: answer.groupID)),
              .init("is_intro_eligible", .flag(orNull: answer.isIntroEligible)),
              .init("intro_reason", .text(answer.reason.word)),
              .init("is_promo_eligible", .flag(orNull: answer.isPromoEligible)),
            ])
          })),
    ])
  }
}
