internal import AppStoreClient

/// An offer that was requested for a customer, before the eligibility is checked.
package struct WantedOffer: Hashable {
  /// The customer of the offer: an id as in the exports, or a keyed hash as in the warehouse.
  package enum Customer: Hashable {
    /// The customer id, as in the exports.
    case id(String)
    /// The customer's keyed hash in the warehouse.
    case key(String)
  }

  /// The customer for whom the offer was requested.
  package let customer: Customer
  let question: OfferToSign
}

/// The unchecked values of a wanted offer: a line of an offer list, or a row of an offer query.
struct OfferDraft {
  enum Field: UInt8, CaseIterable {
    case customerID, customerKey, productID, offerID, accountToken, transactionID

    /// The name of the field: a key in an offer list, a column in an offer query.
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

  /// Stores a value; an empty value is ignored.
  ///
  /// Returns `false` if the field already has a value.
  mutating func take(_ field: Field, _ value: String) -> Bool {
    if value.isEmpty { return true }
    return values.updateValue(value, forKey: field) == nil
  }

  /// The checked offer, or the reason why it is invalid.
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
      let question = OfferToSign(
        productID: product, offerID: offer, accountToken: values[.accountToken] ?? "",
        transactionID: values[.transactionID])
    else {
      return .failure(OfferFault("texts of at most 255 bytes without control characters"))
    }
    return .success(WantedOffer(customer: customer, question: question))
  }

  /// The names of all fields, for messages.
  static let names = Field.allCases.map { "\($0.name)" }.joined(separator: ", ")
}

/// The error for invalid values of a wanted offer; ``expected`` is the requirement in words.
struct OfferFault: Error, Hashable {
  let expected: String

  init(_ expected: String) { self.expected = expected }
}
