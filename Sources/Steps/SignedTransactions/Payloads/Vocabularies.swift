/// A list of Apple's words that may grow: an unknown word is accepted and stored as written.
///
/// Example: `PURCHASED` as an ``OwnershipWord`` is `purchased`; `GIFTED` is
/// `unrecognized("GIFTED")`.
public protocol Vocabulary: Hashable, Sendable {
  /// The known words with their values.
  static var words: [(word: String, value: Self)] { get }
  /// The names of the constants of Apple's Java library that differ from Apple's words.
  static var constants: [(word: String, value: Self)] { get }
  /// Creates the value of an unknown word.
  static func unrecognized(_ word: String) -> Self
}

extension Vocabulary {
  /// Most constants are named like Apple's words.
  public static var constants: [(word: String, value: Self)] { [] }

  /// Creates the value of a word from Apple, or of a constant's name; an unknown word is stored as
  /// written.
  public init(_ word: String) {
    self =
      Self.words.first { $0.word == word }?.value
      ?? Self.constants.first { $0.word == word }?.value ?? .unrecognized(word)
  }
}

/// `environment`: production or a test environment.
public enum StoreEnvironment: Vocabulary {
  /// The App Store, with real money.
  case production
  /// Apple's sandbox, without revenue.
  case sandbox
  /// Any other word; treated as a test environment.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: StoreEnvironment)] = [
    ("Production", .production), ("Sandbox", .sandbox),
  ]

  /// The names of the constants.
  public static let constants: [(word: String, value: StoreEnvironment)] = [
    ("PRODUCTION", .production), ("SANDBOX", .sandbox), ("XCODE", .unrecognized("Xcode")),
    ("LOCAL_TESTING", .unrecognized("LocalTesting")),
  ]

  /// Reads an environment that the record states outside of a payload; upper or lower case is
  /// ignored.
  ///
  /// Examples: `PROD` and `Production` → `production`; `sandbox` → `sandbox`. Any other word is
  /// stored as written, and is treated as a test environment.
  init(around word: String) {
    let small = word.lowercased()
    self = small.hasPrefix("prod") ? .production : small == "sandbox" ? .sandbox : Self(word)
  }

  /// Whether this is a test environment without revenue; true for everything except production.
  public var isSandbox: Bool { self != .production }
}

/// `type`: the kind of product; always present in a signed transaction.
public enum ProductWord: Vocabulary {
  /// A subscription that renews automatically.
  case autoRenewable
  /// A subscription for a fixed time.
  case nonRenewing
  /// A product that is bought once.
  case nonConsumable
  /// A product that is used up and bought again.
  case consumable
  /// A kind that this version does not know.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: ProductWord)] = [
    ("Auto-Renewable Subscription", .autoRenewable),
    ("Non-Renewing Subscription", .nonRenewing), ("Non-Consumable", .nonConsumable),
    ("Consumable", .consumable),
  ]

  /// The names of the constants.
  public static let constants: [(word: String, value: ProductWord)] = [
    ("AUTO_RENEWABLE_SUBSCRIPTION", .autoRenewable),
    ("NON_RENEWING_SUBSCRIPTION", .nonRenewing), ("NON_CONSUMABLE", .nonConsumable),
    ("CONSUMABLE", .consumable),
  ]
}

/// `inAppOwnershipType`: whether the customer or a family member paid.
public enum OwnershipWord: Vocabulary {
  /// The customer of the transaction paid.
  case purchased
  /// A family member paid; the transaction has no charge.
  case familyShared
  /// A kind that this version does not know.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: OwnershipWord)] = [
    ("PURCHASED", .purchased), ("FAMILY_SHARED", .familyShared),
  ]
}

/// `offerDiscountType`: the payment mode of an offer.
public enum DiscountWord: Vocabulary {
  /// Free of charge for the whole offer.
  case freeTrial
  /// One price per period of the offer.
  case payAsYouGo
  /// One price for the whole offer.
  case payUpFront
  /// A discount on a product that does not renew.
  case oneTime
  /// A kind that this version does not know.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: DiscountWord)] = [
    ("FREE_TRIAL", .freeTrial), ("PAY_AS_YOU_GO", .payAsYouGo), ("PAY_UP_FRONT", .payUpFront),
    ("ONE_TIME", .oneTime),
  ]
}

/// `transactionReason`: a purchase by the customer, or a renewal.
public enum ReasonWord: Vocabulary {
  /// The customer bought the product, or changed to the product.
  case purchase
  /// The App Store renewed the subscription.
  case renewal
  /// A kind that this version does not know.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: ReasonWord)] = [
    ("PURCHASE", .purchase), ("RENEWAL", .renewal),
  ]
}

/// `revocationType`: the extent of a revocation.
public enum RevocationWord: Vocabulary {
  /// The full price was refunded.
  case refundFull
  /// The part in `revocationPercentage` was refunded.
  case refundProrated
  /// The family lost access; nothing was refunded.
  case familyRevoke
  /// A kind that this version does not know.
  case unrecognized(String)

  /// The words that Apple sends, each with its enum case.
  public static let words: [(word: String, value: RevocationWord)] = [
    ("REFUND_FULL", .refundFull), ("REFUND_PRORATED", .refundProrated),
    ("FAMILY_REVOKE", .familyRevoke),
  ]
}

/// `offerType`: the kind of offer.
public enum OfferWord: Hashable, Sendable {
  /// 1: an introductory offer, which has no identifier.
  case introductory
  /// 2: a promotional offer that the app showed.
  case promotional
  /// 3: an offer code that the customer redeemed.
  case offerCode
  /// 4: an offer for former subscribers.
  case winBack
  /// 5: an offer that is shown to a subscriber during cancellation.
  case retention
  /// A number that this version does not know.
  case unrecognized(Int64)

  /// Creates the kind of offer for one of Apple's numbers.
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
