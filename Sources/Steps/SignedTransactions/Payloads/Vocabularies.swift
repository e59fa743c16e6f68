/// A list of Apple's words that may grow: a word that is not on it passes, and is kept as written.
///
/// `PURCHASED` as an ``OwnershipWord`` is `purchased`; `GIFTED` is `unrecognized("GIFTED")`.
public protocol Vocabulary: Hashable, Sendable {
  /// The words that mean something here.
  static var words: [(word: String, value: Self)] { get }
  /// A word that is on no list yet.
  static func unrecognized(_ word: String) -> Self
}

extension Vocabulary {
  /// The value that a word names.
  public init(_ word: String) {
    self = Self.words.first { $0.word == word }?.value ?? .unrecognized(word)
  }
}

/// `environment`: which of Apple's stores it was.
public enum StoreEnvironment: Vocabulary {
  /// Real money.
  case production
  /// A test purchase; never revenue.
  case sandbox
  /// Another word; never revenue.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: StoreEnvironment)] = [
    ("Production", .production), ("Sandbox", .sandbox),
  ]

  /// The store that an answer, a notification or a server's record names around a payload, in any
  /// case: `PROD`, `Production`, `sandbox`; any other word is no production.
  init(around word: String) {
    let small = word.lowercased()
    self = small.hasPrefix("prod") ? .production : small == "sandbox" ? .sandbox : Self(word)
  }

  /// Whether purchases of it are test purchases and so without revenue: all but production.
  public var isSandbox: Bool { self != .production }
}

/// `type`: the kind of product; never unknown in a signed transaction.
public enum ProductWord: Vocabulary {
  /// A subscription that renews itself.
  case autoRenewable
  /// A subscription for a fixed time.
  case nonRenewing
  /// Bought once, for good.
  case nonConsumable
  /// Used up, and bought again.
  case consumable
  /// A kind that Apple added since.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: ProductWord)] = [
    ("Auto-Renewable Subscription", .autoRenewable),
    ("Non-Renewing Subscription", .nonRenewing), ("Non-Consumable", .nonConsumable),
    ("Consumable", .consumable),
  ]
}

/// `inAppOwnershipType`: whether the customer paid, or a member of the family.
public enum OwnershipWord: Vocabulary {
  /// The customer paid.
  case purchased
  /// A family member paid; nothing was paid for this row.
  case familyShared
  /// A kind that Apple added since.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: OwnershipWord)] = [
    ("PURCHASED", .purchased), ("FAMILY_SHARED", .familyShared),
  ]
}

/// `offerDiscountType`: how an offer is paid.
public enum DiscountWord: Vocabulary {
  /// Nothing is paid.
  case freeTrial
  /// One price for each period of the offer.
  case payAsYouGo
  /// One price for the whole offer.
  case payUpFront
  /// A discount on something that does not renew.
  case oneTime
  /// A kind that Apple added since.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: DiscountWord)] = [
    ("FREE_TRIAL", .freeTrial), ("PAY_AS_YOU_GO", .payAsYouGo), ("PAY_UP_FRONT", .payUpFront),
    ("ONE_TIME", .oneTime),
  ]
}

/// `transactionReason`: whether the customer bought, or the subscription renewed.
public enum ReasonWord: Vocabulary {
  /// The customer bought it, or changed the product.
  case purchase
  /// The store renewed it.
  case renewal
  /// A kind that Apple added since.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: ReasonWord)] = [
    ("PURCHASE", .purchase), ("RENEWAL", .renewal),
  ]
}

/// `revocationType`: how much came back.
public enum RevocationWord: Vocabulary {
  /// All of the price.
  case refundFull
  /// The share in `revocationPercentage`.
  case refundProrated
  /// The family lost access; no money moved.
  case familyRevoke
  /// A kind that Apple added since.
  case unrecognized(String)

  /// Apple's words for it.
  public static let words: [(word: String, value: RevocationWord)] = [
    ("REFUND_FULL", .refundFull), ("REFUND_PRORATED", .refundProrated),
    ("FAMILY_REVOKE", .familyRevoke),
  ]
}

/// `offerType`: which kind of offer a row belongs to.
public enum OfferWord: Hashable, Sendable {
  /// 1: an introductory offer, which has no identifier.
  case introductory
  /// 2: a promotional offer that the app showed.
  case promotional
  /// 3: an offer code that the customer redeemed.
  case offerCode
  /// 4: an offer for former subscribers.
  case winBack
  /// 5: an offer at the moment of cancelling, seen since 2026.
  case retention
  /// A number that Apple added since.
  case unrecognized(Int64)

  /// The kind that a number names.
  public init(_ number: Int64) {
    self =
      switch number {
      case 1: .introductory
      case 2: .promotional
      case 3: .offerCode
      case 4: .winBack
      case 5: .retention
      default: .unrecognized(number)
      }
  }
}
