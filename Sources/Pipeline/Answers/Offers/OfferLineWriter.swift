package import AppStoreClient
package import CivilTime
internal import Crypto
package import Diagnostics
internal import Pipeline
package import Warehouse

/// Writes one line per wanted offer, for an app's server.
///
/// A line contains the signature of the offer, or the reason why the offer is not signed.
package struct OfferLineWriter {
  /// The forms of a signature.
  package enum Form: String, CaseIterable {
    /// An ECDSA signature, which every version of StoreKit accepts.
    case signature
    /// A JWS, for newer versions of StoreKit.
    case jws
    case both
  }

  /// The private key from App Store Connect that signs the offers.
  let key: ServerKey
  let bundleID: String
  let form: Form
  /// The time of all signatures; their validity begins at this time.
  let time: Instant
  /// The key with which customer ids are hashed.
  let customerKey: [UInt8]
  private(set) var signed = 0
  /// The number of refused offers, keyed by reason.
  private(set) var refused: [String: Int] = [:]

  package init(key: ServerKey, bundleID: String, form: Form, time: Instant, customerKey: [UInt8]) {
    self.key = key
    self.bundleID = bundleID
    self.form = form
    self.time = time
    self.customerKey = customerKey
  }

  /// Returns the keyed hash that stands for a customer in the warehouse.
  package func hash(_ customer: WantedOffer.Customer) throws(RunFailure) -> String {
    switch customer {
    case .id(let id): try warehouseKey(ofCustomer: id, key: customerKey)
    case .key(let key): key
    }
  }

  /// Writes the line of an offer, with a signature if the customer is eligible, else with a reason.
  package mutating func line(_ offer: WantedOffer, hash: String, published: PublishedOffers)
    throws(RunFailure) -> String
  {
    let answer = published.offers(ofCustomer: hash).answer(
      productID: offer.question.productID, product: published.product(offer.question.productID))
    var members = Self.head(offer)
    if answer.isPromoEligible == true {
      signed += 1
      members.append(.init("is_signed", .flag(true)))
      do {
        members += try signature(of: offer.question, published.transaction(ofCustomer: hash))
      } catch {
        throw RunFailure(.inputOutput, "an offer could not be signed; run the command again")
      }
    } else {
      let reason = Self.reason(answer)
      refused[reason, default: 0] += 1
      members += [.init("is_signed", .flag(false)), .init("reason", .text(reason))]
    }
    return JSONText.object(members).line
  }

  private static func head(_ offer: WantedOffer) -> [JSONText.Member] {
    let customer: JSONText.Member =
      switch offer.customer {
      case .id(let id): .init("customer_id", .text(id))
      case .key(let key): .init("customer_key", .text(key))
      }
    return [
      customer, .init("product_id", .text(offer.question.productID)),
      .init("offer_id", .text(offer.question.offerID)),
    ]
  }

  /// The reason why a promotional offer is not signed.
  static func reason(_ answer: OfferAnswer) -> String {
    switch answer.reason {
    case .published, .nothingInGroup: "never_subscribed"
    case .unknownCustomer, .unknownProduct, .unknownGroup, .subscriptionWithoutGroup:
      answer.reason.word
    }
  }

  private func signature(of question: OfferToSign, _ newest: String?) throws(SigningFault)
    -> [JSONText.Member]
  {
    let nonce = Self.nonce()
    var members: [JSONText.Member] = []
    if form != .jws {
      let signature = try key.offerSignature(question, bundleID: bundleID, nonce: nonce, at: time)
      members += [
        .init("app_account_token", .text(question.accountToken)),
        .init("key_id", .text(key.keyID)), .init("nonce", .text(nonce.text)),
        .init("timestamp", .number(time.milliseconds)), .init("signature", .text(signature)),
      ]
    }
    if form != .signature {
      var named = question
      if question.transactionID == nil { named.transactionID = newest }
      let token = try key.offerToken(
        named, bundleID: bundleID, nonce: Self.nonce(), at: time)
      members.append(.init("jws", .text(token)))
    }
    return members
  }

  /// Creates a nonce from the cryptographic library's random bytes.
  private static func nonce() -> OfferNonce {
    let bytes = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { unsafe Array($0) }
    return OfferNonce(randomBytes: bytes)
  }

  /// The number of signed offers and the number of refused offers with the reasons, as text.
  package var text: String {
    let reasons = refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let left = refused.values.reduce(0, +)
    return "signed \(Count.text(signed, "offer")), valid until "
      + time.advanced(by: ServerKey.offerLifetime).text
      + (left == 0 ? "" : "; not signed \(left) (\(reasons))")
  }
}
