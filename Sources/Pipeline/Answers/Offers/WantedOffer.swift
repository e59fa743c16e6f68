internal import AppStoreClient

/// An offer for a customer, unchecked against the facts.
package struct WantedOffer: Hashable {
  /// The customer it is for.
  package enum Customer: Hashable {
    /// The customer id, as the exports have it.
    case id(String)
    /// The customer's keyed hash in the warehouse.
    case key(String)
  }

  /// The customer it is for.
  package let customer: Customer
  /// The offer to sign.
  let question: OfferToSign
}

/// A wanted offer as a line of a list or a row of a query states it, unchecked.
struct OfferDraft {
  /// The fields of an offer, by their names in lists and queries.
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

  /// Takes a value; an empty one is ignored.
  ///
  /// `false` for a field that was taken before.
  mutating func take(_ field: Field, _ value: String) -> Bool {
    if value.isEmpty { return true }
    return values.updateValue(value, forKey: field) == nil
  }

  /// The checked offer, or the fault in it.
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

  /// The names of all fields, as a message lists them.
  static let names = Field.allCases.map { "\($0.name)" }.joined(separator: ", ")
}

/// A wanted offer with invalid values.
struct OfferFault: Error, Hashable {
  let expected: String

  init(_ expected: String) { self.expected = expected }
}
