internal import AppleAsking

/// An offer that a customer is to be shown, where it may be.
struct WantedOffer: Hashable {
  /// Whom it is for.
  enum Customer: Hashable {
    /// The customer id, as the exports have it.
    case id(String)
    /// The keyed hash that stands for the customer in the warehouse.
    case key(String)
  }

  /// Whom it is for.
  let customer: Customer
  /// What is to be signed.
  let question: OfferQuestion
}

/// What a line of a list, or a row of a query, says about a wanted offer, not yet checked.
struct OfferDraft {
  /// What may be said, by its name in lists and queries.
  enum Field: UInt8, CaseIterable {
    case customerID, customerKey, productID, offerID, accountToken, transactionID

    /// The key of a list's line, and the column of a query.
    var name: StaticString {
      switch self {
      case .customerID: "customer_id"
      case .customerKey: "customer_key"
      case .productID: "product_id"
      case .offerID: "offer_id"
      case .accountToken: "app_account_token"
      case .transactionID: "transaction_id"
      }
    }
  }

  private var values: [Field: String] = [:]

  /// Takes a value, where an empty one is none; `false` where the field was there already.
  mutating func take(_ field: Field, _ value: String) -> Bool {
    if value.isEmpty { return true }
    return values.updateValue(value, forKey: field) == nil
  }

  /// The checked offer, or what is expected in its place.
  var offer: Result<WantedOffer, OfferFault> {
    let customer: WantedOffer.Customer
    switch (values[.customerID], values[.customerKey]) {
    case (let id?, nil): customer = .id(id)
    case (nil, let key?): customer = .key(key)
    case (nil, nil), (_?, _?): return .failure(OfferFault("either customer_id or customer_key"))
    }
    guard let product = values[.productID], let offer = values[.offerID] else {
      return .failure(OfferFault("product_id and offer_id"))
    }
    guard
      let question = OfferQuestion(
        productID: product, offerID: offer, accountToken: values[.accountToken] ?? "",
        transactionID: values[.transactionID])
    else {
      return .failure(OfferFault("texts of at most 255 bytes without control characters"))
    }
    return .success(WantedOffer(customer: customer, question: question))
  }

  /// The names of all fields, as a message lists them.
  static let names = Field.allCases.map { "\($0.name)" }.joined(separator: ", ")
}

/// A wanted offer that cannot be one.
struct OfferFault: Error, Hashable {
  /// What was expected.
  let expected: String

  init(_ expected: String) { self.expected = expected }
}
